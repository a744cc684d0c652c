#!/bin/sh
# Runs a command in a network and process namespace of its own, with loopback up: nothing leaves the machine, ports never clash
# with another job, and whatever it started ends with it. What an engine keeps in /run and /dev/shm is its own as well, so that
# several can run side by side. The shell stays pid 1: some programs cannot be.
exec unshare --net --pid --fork --kill-child --mount-proc -- sh -c '
  ip link set lo up
  mount -t tmpfs -o mode=755 tmpfs /run && mount -t tmpfs -o mode=1777 tmpfs /dev/shm
  "$@"
  exit $?' sh "$@"
