#!/bin/sh
# Looks whether everything is there, says what is not and how to fix it, and starts what was asked for. It repairs nothing.
#   entrypoint.sh http    MCP over HTTP on port 3000 (the default)
#   entrypoint.sh mcp     MCP over stdio
#   entrypoint.sh …       any other command of interactive-terminal, doctor for example
set -eu
app=/opt/interactive-terminal/interactive-terminal.cjs
# Standard output belongs to MCP.
say() { printf 'interactive-terminal: %s\n' "$*" >&2; }
refuse() {
  say "$*"
  exit 78
}

command=${1:-http}
[ $# -eq 0 ] || shift
[ -r "$app" ] || refuse "there is no $app: the image was built without dist/. Run npm run build before podman build."

case ${PM_RUNNING_IN_CONTAINER:-} in
  1 | [Tt]rue | TRUE | [Yy]es | YES | [Oo]n | ON) ;;
  *) refuse "PM_RUNNING_IN_CONTAINER is \"${PM_RUNNING_IN_CONTAINER:-}\", but this is a container. Leave it at true." ;;
esac
case ${PM_TERM_ADAPTER_MODE:-auto} in
  auto | container_bridge) ;;
  *) refuse "PM_TERM_ADAPTER_MODE=$PM_TERM_ADAPTER_MODE cannot work here: there is no host in a container. Leave it at auto." ;;
esac

# Without a way to the host the headless tool still works, so these are no reasons not to start.
key=${PM_INTERACTIVE_TERMINAL_KEY_FILE:-}
if [ -z "$key" ]; then
  say "PM_INTERACTIVE_TERMINAL_KEY_FILE is not set: interactive commands are refused. On the host, in the folder of interactive-terminal: npm start -- pair <name>"
elif [ ! -e "$key" ]; then
  say "$key is not there: interactive commands are refused. Mount the key (podman run --secret …,mode=0400)."
elif [ ! -r "$key" ]; then
  say "$key cannot be read by user $(id -u): interactive commands are refused. Mount it for that user (uid=$(id -u),mode=0400)."
fi
socket=${PM_INTERACTIVE_TERMINAL_HOST_SOCKET:-}
if [ -n "$socket" ] && [ ! -S "$socket" ]; then
  say "$socket is no socket now. The host makes it while somebody is paired; mount its directory, not the file."
fi
data=${PM_TERM_DATA_DIR:-}
if [ -z "$data" ]; then
  say "PM_TERM_DATA_DIR is not set: the default rules apply, and no workspace is trusted. Mount the host's rules read-only to have them."
elif [ ! -d "$data" ]; then
  refuse "PM_TERM_DATA_DIR=$data is no directory. Mount the host's rules there, or leave it unset."
elif [ -w "$data" ]; then
  say "PM_TERM_DATA_DIR=$data can be written in here. Mount it read-only (:ro): rules are the person's."
fi

case $command in
  mcp) exec node "$app" mcp "$@" ;;
  http)
    token=${PM_TERM_HTTP_TOKEN_FILE:-}
    if [ -z "$token" ]; then
      say "PM_TERM_HTTP_TOKEN_FILE is not set: a token is made in here. Read it with: podman exec <container> cat ${PM_TERM_HOME:-/var/lib/interactive-terminal}/state/http-token"
    elif [ ! -r "$token" ]; then
      refuse "PM_TERM_HTTP_TOKEN_FILE=$token cannot be read by user $(id -u). Mount it for that user (uid=$(id -u),mode=0400)."
    fi
    exec node "$app" "$@"
    ;;
  *) exec node "$app" "$command" "$@" ;;
esac
