#!/bin/sh
# Starts the MCP server in a container that reaches the host's window.
#   ./run-container.sh NAME mcp       MCP over stdio: what a client starts
#   ./run-container.sh NAME http      MCP over HTTP on 127.0.0.1:3000
#   ./run-container.sh NAME doctor    what the container sees
# NAME is what "interactive-terminal pair NAME" paired. Variables: ENGINE (podman or docker), IMAGE, HTTP_PORT, PROJECT (a directory
# that is mounted at its own path; default: this one), NETWORK (none: over the socket file). PM_TERM_* and PM_INTERACTIVE_TERMINAL_*
# are passed on.
set -eu
say() { printf 'run-container: %s\n' "$*" >&2; }
refuse() {
  say "$*"
  exit 2
}
[ $# -ge 1 ] || refuse 'usage: run-container.sh NAME [mcp|http|doctor]'
name=$1
what=${2:-mcp}
engine=${ENGINE:-$(command -v podman >/dev/null 2>&1 && echo podman || echo docker)}
image=${IMAGE:-interactive-terminal}
project=${PROJECT:-$PWD}
port=${HTTP_PORT:-3000}
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
if command -v interactive-terminal >/dev/null 2>&1; then it() { interactive-terminal "$@"; }; else it() { node "$here/dist/interactive-terminal.cjs" "$@"; }; fi

command -v "$engine" >/dev/null 2>&1 || refuse "there is no $engine here. Set ENGINE to podman or docker."
keys=$(it where keys)
data=$(it where data)
state=$(it where state)
key=$keys/$name.key
[ -r "$key" ] || refuse "\"$name\" is not paired ($key). Run: node \"$here/dist/interactive-terminal.cjs\" pair $name"
"$engine" image inspect "$image" >/dev/null 2>&1 || refuse "there is no image $image. Run: npm ci && npm run build && $engine build -t $image $here"
# Looked at before, said before: afterwards it is a line in a log.
[ -e "$state/host.json" ] || say 'no host runs yet: interactive commands are refused until "interactive-terminal" runs.'
mkdir -p "$data"

# The container runs as you: your files stay readable, and nobody else's are.
set -- --rm --user "$(id -u):$(id -g)" --cap-drop all --security-opt no-new-privileges -v "$project:$project" -w "$project" -v "$data:/data:ro" -e PM_TERM_DATA_DIR=/data \
  -e PM_INTERACTIVE_TERMINAL_KEY_FILE=/run/secrets/interactive-terminal.key
# Only who talks over stdin needs it: without it the server over HTTP can be sent to the background.
if [ "$what" != http ]; then set -- "$@" -i; fi
# Without root, podman would give your own files to another user in there.
if [ "$engine" = podman ] && [ "$(id -u)" -ne 0 ]; then set -- "$@" --userns=keep-id; fi
if [ "$engine" = podman ]; then
  # Made anew each time: the key may have been replaced.
  podman secret rm "interactive-terminal-$name" >/dev/null 2>&1 || true
  podman secret create "interactive-terminal-$name" "$key" >/dev/null
  set -- "$@" --secret "interactive-terminal-$name,target=interactive-terminal.key,mode=0400,uid=$(id -u)"
else
  set -- "$@" -v "$key:/run/secrets/interactive-terminal.key:ro" --add-host host.docker.internal:host-gateway
fi
if [ "${NETWORK:-}" = none ]; then
  socket=$(it where bridge-socket)
  [ -S "$socket" ] || say "$socket is not there yet: the host makes it while somebody is paired."
  mkdir -p "$(dirname "$socket")"
  set -- "$@" --network none -v "$(dirname "$socket"):/run/interactive-terminal" -e PM_INTERACTIVE_TERMINAL_HOST_SOCKET=/run/interactive-terminal/host.sock
elif [ -n "${NETWORK:-}" ]; then set -- "$@" --network "$NETWORK"; fi
for variable in $(env | sed -n 's/^\(PM_TERM_[A-Z_]*\|PM_INTERACTIVE_TERMINAL_[A-Z_]*\)=.*/\1/p'); do
  case $variable in
    # Where things are out here says nothing about where they are in there.
    PM_TERM_HOME | PM_TERM_DATA_DIR | PM_TERM_PORT | PM_TERM_APPROVER_PORT | PM_TERM_BRIDGE_ADDRESS | PM_TERM_HTTP_ADDRESS | PM_TERM_HTTP_PORT | PM_TERM_HTTP_TOKEN_FILE | PM_INTERACTIVE_TERMINAL_KEY_FILE | PM_INTERACTIVE_TERMINAL_HOST_SOCKET | PM_INTERACTIVE_TERMINAL_BINARY) ;;
    *) set -- "$@" -e "$variable" ;;
  esac
done
if [ "$what" = http ]; then
  token=$(it where http-token)
  [ -r "$token" ] || refuse "there is no token ($token). Start \"interactive-terminal\" once: it makes one."
  if [ "$engine" = podman ]; then
    podman secret rm interactive-terminal-token >/dev/null 2>&1 || true
    podman secret create interactive-terminal-token "$token" >/dev/null
    set -- "$@" --secret "interactive-terminal-token,target=http-token,mode=0400,uid=$(id -u)"
  else set -- "$@" -v "$token:/run/secrets/http-token:ro"; fi
  set -- "$@" -p "127.0.0.1:$port:3000" -e "PM_TERM_HTTP_HOSTS=127.0.0.1:$port,localhost:$port" -e PM_TERM_HTTP_TOKEN_FILE=/run/secrets/http-token
fi
exec "$engine" run "$@" "$image" "$what"
