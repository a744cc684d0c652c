#!/usr/bin/env bash
# Builds bubblewrap 0.12 from Debian 13's source package, for the tests of the sandbox: Debian 12's own 0.8 is refused by the product.
# Prints the path of the program. A second call only prints it. Exit code 77: its source or what builds it cannot be had here.
# The mirror is the one this machine's apt has already; apt checks the source against Debian's signature.
set -euo pipefail
cache="${IT_BWRAP_CACHE:-/var/cache/interactive-terminal-tests}"
built="$cache/bubblewrap-0.12/bwrap"
if [ -x "$built" ] && "$built" --version | grep -q ' 0\.12\.'; then
  echo "$built"
  exit 0
fi
cannot() {
  echo "bubblewrap 0.12 cannot be built: $1" >&2
  exit 77
}
mkdir -p "$cache" 2>/dev/null && [ -w "$cache" ] || cannot "$cache cannot be written"
for program in apt-get meson ninja cc pkg-config xz; do
  command -v "$program" >/dev/null || cannot "$program is not on this machine"
done
pkg-config --exists libcap || cannot "libcap-dev is not on this machine"
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
[ -r "$keyring" ] || cannot "there is no keyring of Debian"

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/source"
# Where this machine's packages come from, as deb822 or in one line.
uris="$({ grep -rhE '^URIs:' /etc/apt/sources.list.d 2>/dev/null | sed 's/^URIs: *//' | tr ' ' '\n'
  grep -rhE '^deb ' /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null | grep -oE 'https?://[^ ]+' ; } |
  grep -E '/debian(-security)?/?$' | sort -u || true)"
[ -n "$uris" ] || cannot "no mirror of Debian is in this machine's apt sources"
while read -r uri; do
  case "$uri" in
    *security*) suite=trixie-security ;;
    *) suite=trixie ;;
  esac
  echo "deb-src [signed-by=$keyring] $uri $suite main"
done <<<"$uris" >"$work/sources.list"
own=(-o "Dir::Etc::sourcelist=$work/sources.list" -o Dir::Etc::sourceparts=/dev/null -o "Dir::State::lists=$work/lists"
  -o "Dir::Cache=$work/cache" -o APT::Sandbox::User=root -o Acquire::Retries=2)
apt-get "${own[@]}" update -qq >&2 || cannot "the mirror does not answer"
# Some mirrors do not have the .dsc under its name; what is built is the two archives, each checked by apt before it gets its name.
(cd "$work/source" && apt-get "${own[@]}" source -qq --download-only bubblewrap >&2) || true
shopt -s nullglob
upstream=("$work"/source/bubblewrap_0.12.*.orig.tar.xz)
debian=("$work"/source/bubblewrap_0.12.*.debian.tar.xz)
[ "${#upstream[@]}" = 1 ] && [ "${#debian[@]}" = 1 ] || cannot "the mirror has no source of bubblewrap 0.12"

mkdir "$work/tree"
tar -xf "${upstream[0]}" -C "$work/tree" --strip-components=1
tar -xf "${debian[0]}" -C "$work/tree"
while read -r patch; do
  case "$patch" in '' | '#'*) continue ;; esac
  patch -s -d "$work/tree" -p1 <"$work/tree/debian/patches/$patch"
done < <(cat "$work/tree/debian/patches/series" 2>/dev/null)
meson setup "$work/tree/build" "$work/tree" --buildtype=release -Dselinux=disabled -Dtests=false -Dman=disabled \
  -Dbash_completion=disabled -Dzsh_completion=disabled >&2
ninja -C "$work/tree/build" >&2
mkdir -p "$(dirname "$built")"
chmod 755 "$cache" "$(dirname "$built")"
install -m 755 "$work/tree/build/bwrap" "$built.new"
mv "$built.new" "$built"
echo "$built"
