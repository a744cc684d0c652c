import { CALLER_SURFACES } from '../contract/caller-surfaces.ts'
import { ALIAS_PHASES } from '../contract/tool/aliases.ts'
import { KEEPING, type SettingRow } from './keeping-settings.ts'
import { flag, oneOf, text, textLike, type ValueOf, whole } from './setting-kinds.ts'

/**
 * Every setting, once: name, older names, kind, default, one sentence. `doctor` and docs/settings.md are made from
 * this table. A flag is the name without PM_TERM_, in lower case with dashes: PM_TERM_HTTP_PORT is --http-port.
 */
export const ENV = {
  PM_TERM_HOME: {
    kind: text,
    default: '',
    notInFile: true,
    sentence: 'One directory for settings, rules and state, instead of the usual ones of your system.',
  },
  PM_TERM_DATA_DIR: {
    kind: text,
    default: '',
    sentence: 'Where the rules of your workspaces are. In a container: a read-only mount of the host’s.',
  },
  PM_TERM_AUTO_APPROVE: {
    kind: oneOf(['allowlist', 'never']),
    default: 'allowlist',
    sentence: 'Whether commands that a rule covers run without asking. never: nothing does, defaults included.',
  },
  PM_TERM_REDACT: {
    kind: oneOf(['on', 'off']),
    default: 'on',
    sentence:
      'Whether tokens and keys in output are replaced by a mark before an agent gets it. You see all of it in any case.',
  },
  PM_TERM_HAND_ON: {
    kind: text,
    default: '',
    sentence:
      'Variables that look like tokens and are given all the same to commands that no person approved, with commas between: GITHUB_TOKEN,SENTRY_AUTH_TOKEN.',
  },
  PM_TERM_ALIAS_PHASE: {
    kind: oneOf(ALIAS_PHASES),
    default: 'accept',
    sentence: 'Legacy actions (run, kill, send, close, create): accept them, accept with a warning, or reject them.',
  },
  PM_TERM_ANSWER_WITHIN_MS: {
    kind: whole(1000, 3_600_000),
    default: 45_000,
    sentence:
      'A call without a progress token answers by then, with a handle if the command still runs: clients give up at 60 s.',
  },
  PM_TERM_CLIENT_CLOCKS: {
    kind: textLike(
      /^(?:[^=,]{1,100}=[1-9][0-9]{2,7}(?:,|$))*$/,
      'must be pairs of a name and milliseconds: "my-agent=20000"',
    ),
    default: '',
    sentence:
      'By when calls of a client are answered, by the name it gives itself: "my-agent=20000,other=90000". Without it: as measured, and as the client was seen to give up.',
  },
  PM_TERM_ELICITATION: {
    kind: oneOf(['on', 'off']),
    default: 'on',
    sentence:
      'Whether a client that can show you an address (MCP elicitation, URL mode) points you to the window when a question waits. It answers nothing.',
  },
  PM_TERM_KILL_GRACE_MS: {
    kind: whole(0, 60_000),
    default: 400,
    sentence: 'How long a command that was asked to end may take before it is forced.',
  },
  ...KEEPING,
  PM_TERM_HTTP_PORT: {
    kind: whole(0, 65_535),
    default: 3000,
    sentence: 'Port of MCP over HTTP. 0 takes any free one.',
  },
  PM_TERM_HTTP_ADDRESS: {
    kind: textLike(/^[0-9]{1,3}(\.[0-9]{1,3}){3}$/, 'must be an IPv4 address'),
    default: '127.0.0.1',
    sentence: 'Address of MCP over HTTP. Any other than 127.0.0.1 counts only in a container.',
  },
  PM_TERM_HTTP_HOSTS: {
    kind: text,
    default: '',
    sentence: 'Further names clients may call it by, each with its port, with commas between: box:3000,127.0.0.1:8080.',
  },
  PM_TERM_HTTP_TOKEN_FILE: {
    kind: text,
    default: '',
    sentence: 'A bearer token that was mounted. Default: one is made in the state directory.',
  },
  PM_TERM_LOG_LEVEL: {
    kind: oneOf(['debug', 'info', 'warn', 'error', 'silent']),
    default: 'info',
    sentence: 'How much is logged to stderr.',
  },
  PM_TERM_ADAPTER_MODE: {
    kind: oneOf(['auto', 'local', 'bundled', 'container_bridge']),
    default: 'auto',
    sentence: 'How the interactive lane reaches the host. auto: local, or the bridge when in a container.',
  },
  PM_TERM_CALLER_SURFACE: {
    kind: oneOf(CALLER_SURFACES),
    default: 'server',
    sentence:
      'From what kind of place agents call this server, for the card and the record, where a request does not say it. The VS Code extension sets extension.',
  },
  PM_RUNNING_IN_CONTAINER: {
    kind: flag,
    default: false,
    sentence: 'This server runs in a container, so the window is on the other side of the bridge.',
  },
  PM_TERM_PORT: {
    kind: whole(0, 65_535),
    default: 9100,
    aliases: ['TERMINAL_PORT'],
    strongest: 'TERMINAL_PORT',
    sentence: 'Port on 127.0.0.1 where the host listens for MCP servers. 0 takes any free one.',
  },
  PM_TERM_APPROVER_PORT: {
    kind: whole(0, 65_535),
    default: 9101,
    sentence: 'Port on 127.0.0.1 where those who may answer reach the host. 0 takes any free one.',
  },
  PM_TERM_BRIDGE_ADDRESS: {
    kind: textLike(/^(auto|off|[0-9]{1,3}(\.[0-9]{1,3}){3}|[0-9a-fA-F:]+)$/, 'must be auto, off or an IP address'),
    default: 'auto',
    sentence:
      'Where paired containers call the host. auto: the gateways of container networks, while somebody is paired. 0.0.0.0: everywhere.',
  },
  PM_TERM_WINDOW: {
    kind: oneOf(['auto', 'never']),
    default: 'auto',
    sentence: 'auto: the host opens a window when somebody is needed and nobody is there. never: terminals only.',
  },
  PM_TERM_BROWSER: {
    kind: text,
    default: '',
    program: true,
    sentence: 'Absolute path of the browser for the window. Default: one of the Chromium family that is installed.',
  },
  PM_TERM_NOTIFY_COMMAND: {
    kind: text,
    default: '',
    program: true,
    sentence:
      'Absolute path of a program of yours that is started when a question is about to expire, to reach you elsewhere. It gets {"waiting", "project", "expires_in_s"} as JSON on standard input.',
  },
  PM_TERM_NOTIFY_SHOWS_COMMAND: {
    kind: flag,
    default: false,
    sentence: 'Whether that program is also told the command that waits.',
  },
  PM_TERM_PTY_HOST: {
    kind: oneOf(['own_process', 'in_process']),
    default: 'own_process',
    sentence: 'Who owns the terminals: a process that outlives the host, or the host itself, with which they end.',
  },
  PM_TERM_SPAWNER: {
    kind: oneOf(['auto', 'off']),
    default: 'auto',
    sentence:
      'Who starts commands. auto: a small process of our own, where it was built (Linux). off: the server and the owner of terminals themselves.',
  },
  PM_TERM_PTY_HOST_PORT: {
    kind: whole(0, 65_535),
    default: 9102,
    sentence: 'Port on 127.0.0.1 where the host reaches the process that owns the terminals. 0 takes any free one.',
  },
  PM_TERM_ORPHAN_GRACE_MS: {
    kind: whole(0, 86_400_000),
    default: 600_000,
    sentence: 'How long commands live on, and are remembered, after the host died and none has come back.',
  },
  PM_TERM_HEARTBEAT_INTERVAL: {
    kind: whole(1, 300),
    default: 5,
    sentence: 'Seconds between signs of life on a silent connection; three missed ones end it.',
  },
  PM_TERM_IDLE_TIMEOUT: {
    kind: whole(0, 86_400),
    default: 300,
    sentence: 'Seconds without run, question, client or approver after which a launched host ends. 0: never.',
  },
  PM_TERM_APPROVAL_TIMEOUT_MS: {
    kind: whole(1000, 86_400_000),
    default: 300_000,
    sentence: 'How long a person may take to answer, unless a request says otherwise.',
  },
  PM_TERM_APPROVER_WAIT_MS: {
    kind: whole(0, 600_000),
    default: 15_000,
    sentence: 'How long a question waits for somebody who can be asked, before it fails.',
  },
  PM_TERM_GRAVE: {
    kind: oneOf(['confirm', 'block']),
    default: 'confirm',
    sentence: 'Commands that are hard to undo: confirm asks with a deliberate gesture, block refuses them.',
  },
  PM_INTERACTIVE_TERMINAL_REQUEST_TIMEOUT_MS: {
    kind: whole(100, 600_000),
    default: 30_000,
    sentence: 'How long the host may take to acknowledge a frame. A person, and a command, may take longer.',
  },
  PM_INTERACTIVE_TERMINAL_CONNECT_TIMEOUT_MS: {
    kind: whole(100, 60_000),
    default: 3000,
    aliases: ['PM_HOST_BRIDGE_CONNECT_TIMEOUT'],
    sentence: 'How long connecting to the host may take, the handshake included.',
  },
  PM_INTERACTIVE_TERMINAL_SPAWN_TIMEOUT_MS: {
    kind: whole(500, 30_000),
    default: 8000,
    sentence: 'How long a host that was started may take until it is ready.',
  },
  PM_INTERACTIVE_TERMINAL_BINARY: {
    kind: text,
    default: '',
    program: true,
    sentence: 'Absolute path of the program to start when no host runs. Default: this one.',
  },
  PM_INTERACTIVE_TERMINAL_HOST_ALIAS: {
    kind: text,
    default: 'host.containers.internal',
    aliases: ['PM_CONTAINER_TO_HOST_BRIDGE_HOST'],
    sentence: 'Name under which a container reaches the host.',
  },
  PM_INTERACTIVE_TERMINAL_HOST_FALLBACK_ALIAS: {
    kind: text,
    default: 'host.docker.internal',
    sentence: 'The name that is tried next; the default gateway comes last.',
  },
  PM_INTERACTIVE_TERMINAL_HOST_PORT: {
    kind: whole(0, 65_535),
    default: 45_459,
    sentence:
      'Port of the bridge on the host: where it listens, and where a container calls. 0: the host takes any free one.',
  },
  PM_INTERACTIVE_TERMINAL_HOST_SOCKET: {
    kind: text,
    default: '',
    sentence: 'The host’s socket file, mounted into a container without a network. Then no name is looked up.',
  },
  PM_INTERACTIVE_TERMINAL_KEY_FILE: {
    kind: text,
    default: '',
    sentence: 'In a container: the mounted key that pairing on the host made for it.',
  },
  PM_INTERACTIVE_TERMINAL_TRACE_BRIDGE: {
    kind: flag,
    default: false,
    sentence: 'Logs every step between a container and the host: names, addresses, outcomes, kinds of frames.',
  },
} as const satisfies Record<string, SettingRow>

export type SettingName = keyof typeof ENV
export type Settings = { readonly [Name in SettingName]: ValueOf<(typeof ENV)[Name]['kind']> }

export const SETTING_NAMES = Object.keys(ENV) as SettingName[]
export const rowOf = (name: SettingName): SettingRow => ENV[name]
export const PROGRAM_SETTINGS = SETTING_NAMES.filter(name => rowOf(name).program)
export const flagOf = (name: SettingName): string =>
  name
    .replace(/^PM_(TERM_)?/, '')
    .toLowerCase()
    .replaceAll('_', '-')
