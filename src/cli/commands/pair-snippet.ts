import { toType } from '../../base/own-command.ts'

/** The project is at its own path in there: an interactive command runs on this machine, where that path has to be the same. */
const PROJECT = '-v "$PWD":"$PWD" -w "$PWD"'

/** What a person copies to start a paired container. The key itself is never printed: it would stay in a scrollback. */
export function pairSnippet(at: {
  readonly name: string
  readonly keyFile: string
  readonly socketDir: string
  /** Where the rules lie: what counts here counts in there. */
  readonly dataDir: string
  readonly address: string
  readonly port: number
  /** Root's podman has no other users to keep. */
  readonly asRoot: boolean
}): string {
  const { name, port } = at
  const secret = `interactive-terminal-${name}`
  const rules = `-v ${quote(at.dataDir)}:/data:ro -e PM_TERM_DATA_DIR=/data`
  const otherPort = port === 45_459 ? '' : ` -e PM_INTERACTIVE_TERMINAL_HOST_PORT=${port}`
  return `"${name}" is paired. Its key is in ${at.keyFile}, for you alone to read; mount it as a secret.

Start it in the directory of your project: it is mounted at its own path, because interactive commands run on this machine, in that
directory.

podman, once and then for every start (0400 and your uid: nobody else in the container reads it):
  podman secret create ${secret} ${quote(at.keyFile)}
  podman run --rm -i ${at.asRoot ? '' : '--userns=keep-id '}--user "$(id -u):$(id -g)" \\
    ${PROJECT} ${rules} \\
    --secret ${secret},target=interactive-terminal.key,mode=0400,uid="$(id -u)" \\
    -e PM_RUNNING_IN_CONTAINER=true -e PM_INTERACTIVE_TERMINAL_KEY_FILE=/run/secrets/interactive-terminal.key${otherPort} \\
    interactive-terminal mcp

Docker on Linux needs the name of the host, too:
  docker run --rm -i --user "$(id -u):$(id -g)" --add-host host.docker.internal:host-gateway \\
    ${PROJECT} ${rules} \\
    -v ${quote(at.keyFile)}:/run/secrets/interactive-terminal.key:ro \\
    -e PM_RUNNING_IN_CONTAINER=true -e PM_INTERACTIVE_TERMINAL_KEY_FILE=/run/secrets/interactive-terminal.key${otherPort} \\
    interactive-terminal mcp

compose.yml:
  services:
    interactive-terminal:
      image: interactive-terminal
      environment:
        PM_RUNNING_IN_CONTAINER: "true"
        PM_INTERACTIVE_TERMINAL_KEY_FILE: /run/secrets/interactive-terminal.key${port === 45_459 ? '' : `\n        PM_INTERACTIVE_TERMINAL_HOST_PORT: "${port}"`}
        PM_TERM_DATA_DIR: /data
      extra_hosts: ["host.docker.internal:host-gateway"]
      volumes: ["$PWD:$PWD", "${at.dataDir}:/data:ro"]
      working_dir: $PWD
      secrets: [{ source: ${secret}, target: interactive-terminal.key }]
  secrets:
    ${secret}: { file: ${quote(at.keyFile)} }

Without a network (--network none), add:
    -v ${quote(at.socketDir)}:/run/interactive-terminal -e PM_INTERACTIVE_TERMINAL_HOST_SOCKET=/run/interactive-terminal/host.sock

${whereItListens(at.address, port)}
Take it back: ${toType(`pair --revoke ${name}`)}`
}

const whereItListens = (address: string, port: number): string => {
  switch (address) {
    case 'off':
      return 'The bridge is off (PM_TERM_BRIDGE_ADDRESS): only a socket file or nothing reaches this host. Set it to "auto".'
    case 'auto':
      return `While somebody is paired the host listens on port ${port} of your container networks' gateways. Rootless engines and Docker
Desktop come from elsewhere: see docs/containers.md.`
    default:
      return `While somebody is paired the host listens on ${address}:${port}.`
  }
}

const quote = (path: string): string => (/^[\w./@%+=:,-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`)
