#!/bin/sh
# A root file system for a container out of this machine's own files: Node, shells, a few tools and the libraries they need.
# Nothing is pulled. Usage: make-root.sh DIRECTORY
set -eu
root=${1:?usage: make-root.sh DIRECTORY}
mkdir -p "$root/usr/bin" "$root/usr/lib" "$root/usr/lib64" "$root/etc" "$root/proc" "$root/sys" "$root/dev" "$root/run" "$root/root" "$root/tmp" "$root/home/node"
chmod 1777 "$root/tmp"
for link in bin lib lib64; do ln -sfn "usr/$link" "$root/$link"; done

copy() { # a file to the same path, following links
  mkdir -p "$root$(dirname "$1")"
  [ -e "$root$1" ] || cp -L "$1" "$root$1"
}
add() { # a program with every library it is linked to
  path=/usr/bin/$1
  [ -e "$path" ] || path=$(command -v "$1")
  real=$(readlink -f "$path")
  copy "$real"
  [ -e "$root/usr/bin/$1" ] || ln -s "$real" "$root/usr/bin/$1"
  ldd "$real" 2>/dev/null | grep -o '/[^ ]*' | while read -r library; do copy "$library"; done
}
for program in node sh bash env cat ls id sleep echo printf expr touch seq head tail wc sort uname true false pwd hostname grep find tr cut rm mkdir stat git; do
  add "$program"
done
# What getaddrinfo() loads by itself: names from files and from DNS.
for library in /lib/*-linux-gnu/libnss_files.so.2 /lib/*-linux-gnu/libnss_dns.so.2 /lib/*-linux-gnu/libresolv.so.2; do
  [ -e "$library" ] && copy "$library"
done
mkdir -p "$root/etc/of-this-one"
: >"$root/etc/hosts"
printf 'root:x:0:0:root:/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n' >"$root/etc/passwd"
printf 'root:x:0:\nnode:x:1000:\n' >"$root/etc/group"
printf 'hosts: files dns\npasswd: files\ngroup: files\n' >"$root/etc/nsswitch.conf"
chown 1000:1000 "$root/home/node"
