#!/bin/sh
# A container without an engine: its own network with one line to ours, its own mounts, processes and root.
# Usage: in-namespace.sh ROOT SUBNET|none CWD SECRET|- [PATH:AT:ro|rw]... -- [VARIABLE=VALUE]... -- COMMAND...
# SUBNET is a number: the container is 10.77.SUBNET.2, this side is 10.77.SUBNET.1 and is called host.containers.internal.
set -eu
if [ "${1:-}" != --inside ]; then
  exec 3<&0
  unshare --net --mount --pid --fork --kill-child -- "$0" --inside "$@" <&3 3<&- &
  inside=$!
  exec 3<&-
  trap 'kill "$inside" 2>/dev/null' TERM INT HUP
  if [ "$2" != none ]; then
    ours=$(readlink /proc/self/ns/net)
    while [ "$(readlink /proc/$inside/ns/net)" = "$ours" ]; do sleep 0.01; done
    ip link add "ith$2" type veth peer name eth0 netns "$inside"
    ip addr add "10.77.$2.1/30" dev "ith$2"
    ip link set "ith$2" up
  fi
  code=0
  wait "$inside" || code=$?
  exit "$code"
fi
shift
root=$1 subnet=$2 cwd=$3 secret=$4
shift 4
ip link set lo up
hosts='127.0.0.1 localhost'
if [ "$subnet" != none ]; then
  until ip link show eth0 >/dev/null 2>&1; do sleep 0.01; done
  ip addr add "10.77.$subnet.2/30" dev eth0
  ip link set eth0 up
  ip route add default via "10.77.$subnet.1"
  hosts="$hosts
10.77.$subnet.1 host.containers.internal"
fi
mount --make-rprivate /
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
for place in tmp run root; do mount -t tmpfs tmpfs "$root/$place"; done
mount -t tmpfs tmpfs "$root/etc/of-this-one"
printf '%s\n' "$hosts" >"$root/etc/of-this-one/hosts"
mount --bind "$root/etc/of-this-one/hosts" "$root/etc/hosts"
if [ "$secret" != - ]; then
  mkdir -p "$root/run/secrets"
  install -m 0400 "$secret" "$root/run/secrets/interactive-terminal.key"
fi
while [ "$1" != -- ]; do
  path=${1%%:*} rest=${1#*:}
  at=${rest%%:*} how=${rest#*:}
  mkdir -p "$root$at"
  mount --bind "$path" "$root$at"
  [ "$how" = rw ] || mount -o remount,bind,ro "$root$at"
  shift
done
shift

exec chroot "$root" /usr/bin/env -i PATH=/usr/bin:/bin HOME=/root PWD="$cwd" sh -c '
  cd "$1" && shift
  while [ "$1" != -- ]; do export "$1"; shift; done
  shift
  exec "$@"' sh "$cwd" "$@"
