import type { Effort } from '../model/effort.ts'
import { mountsOf } from './container-mounts.ts'
import { scriptsIn, startsIn } from './runners.ts'

/** Takes `sudo -u x nice -n 5 sh -c 'rm …'` down to what is really run, layer by layer. Pure. */

/** Options of a wrapper that take the next word as their value, and how many operands come before the wrapped command. */
interface Wrapper {
  readonly values?: string
  readonly operands?: number
}

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  sudo: { values: '-u -g -h -p -C -r -t -U -D -R -T --user --group --host --prompt --chdir --role --type' },
  doas: { values: '-u -C' },
  run0: { values: '-u --user' },
  pkexec: { values: '--user' },
  env: { values: '-u -C --unset --chdir' },
  nice: { values: '-n --adjustment' },
  ionice: { values: '-c -n -p -P --class --classdata' },
  chrt: { values: '-T -P -D', operands: 1 },
  taskset: { operands: 1 },
  nohup: {},
  setsid: {},
  time: { values: '-o -f --output --format' },
  timeout: { values: '-k -s --kill-after --signal', operands: 1 },
  stdbuf: { values: '-i -o -e' },
  unbuffer: {},
  command: {},
  builtin: {},
  exec: { values: '-a' },
  noglob: {},
  nocorrect: {},
  wsl: { values: '-d -u --distribution --user --cd' },
  xargs: { values: '-I -i -n -P -L -d -a -E -s --replace --max-args --max-procs --max-lines --delimiter --arg-file' },
  parallel: { values: '-j -S --jobs' },
  watch: { values: '-n --interval' },
  strace: { values: '-o -e -p -s -u' },
  ltrace: { values: '-o -e' },
  chroot: { operands: 1 },
  unshare: {},
  nsenter: { values: '-t --target' },
  repeat: { operands: 1 },
  flock: { values: '-w -E --timeout', operands: 1 },
  systemd: {},
  'systemd-run': { values: '-p -u --property --unit' },
  busybox: {},
  toybox: {},
  fakeroot: {},
  caffeinate: {},
  rlwrap: {},
  proxychains: {},
  torsocks: {},
  firejail: {},
  gosu: { operands: 1 },
  'su-exec': { operands: 1 },
  screen: { values: '-S -t -T -c -h -p -s -e' },
  setpriv: {},
  prlimit: {},
  cpulimit: { values: '-l' },
  script: {},
  su: {},
  runuser: { values: '-u' },
  ssh: { values: '-p -i -l -o -F -J -L -R -D -b -c -E -e -m -O -Q -S -W -w -B -I', operands: 1 },
}
const SHELLS = /^(?:ba|da|z|k|mk|a|c|tc|fi)?sh$|^su$|^runuser$|^script$/
const DEEPEST = 10
const MOST_STARTS = 16
const MOST_OPTIONS = 32
const LAYER = 32
const MOST_EXECUTED = 8
const MOST_WORDS = 64
const LONGEST = 200
const END = 60

/** Without its path, and as everybody calls it: where the system has its own `rm`, GNU's is `grm`. */
export const programName = (word: string): string =>
  word
    .slice(word.lastIndexOf('/') + 1)
    .replace(
      /^g(?=(?:rm|dd|cp|mv|chmod|chown|chgrp|shred|truncate|find|tee|env|timeout|nice|nohup|xargs|stdbuf|chroot)$)/,
      '',
    )

export interface Unwrapped {
  /** Every argv that may be run, the outer ones too. */
  readonly commands: readonly (readonly string[])[]
  /** Text that a shell in it would read as a line of its own. */
  readonly scripts: readonly string[]
}

export function unwrap(given: readonly string[], effort: Effort, depth = 0): Unwrapped {
  // Nobody writes so many words; such a line needs approval anyway, and both ends are still looked at.
  const argv = given.length > LONGEST ? [...given.slice(0, LONGEST - END), ...given.slice(-END)] : given
  const commands: (readonly string[])[] = [argv]
  const scripts: string[] = []
  for (const layer of effort.spend(LAYER + argv.length) ? wrapped(argv) : []) {
    if (depth >= DEEPEST) effort.giveUp()
    // `docker run docker run …` may begin anywhere on every level.
    if (effort.spent) break
    const deeper = unwrap(layer, effort, depth + 1)
    commands.push(...deeper.commands)
    scripts.push(...deeper.scripts)
  }
  scripts.push(...scriptsOf(argv))
  return { commands, scripts }
}

/** The commands directly inside a wrapper. More than one where an unknown option may or may not take a value. */
function wrapped(argv: readonly string[]): (readonly string[])[] {
  const name = programName(argv[0] ?? '').replace(/\.exe$/i, '')
  if (name === 'find' || name === 'fd' || name === 'fdfind') return executedByFind(argv)
  const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined
  if (!wrapper) return containerCommand(name, argv)
  const values = new Set((wrapper.values ?? '').split(' '))
  const starts: (readonly string[])[] = []
  let at = 1
  let operands = wrapper.operands ?? 0
  for (; at < argv.length; at += 1) {
    const word = argv[at] as string
    if (values.has(word)) at += 1
    else if (word === '-') continue
    else if (word.startsWith('-')) {
      const next = argv.slice(at + 2)
      if (next.length > 0 && !word.includes('=') && !(argv[at + 1] ?? '').startsWith('-')) starts.push(next)
    } else if (/^[A-Za-z_]\w*=/.test(word)) continue
    else if (operands > 0) operands -= 1
    else break
  }
  if (at < argv.length) starts.push(argv.slice(at))
  return starts
}

function executedByFind(argv: readonly string[]): (readonly string[])[] {
  let left = MOST_EXECUTED
  return argv.flatMap((word, i) => {
    if (left <= 0 || !/^(-exec|-execdir|-ok|-okdir|-x|-X|--exec|--exec-batch)$/.test(word)) return []
    left -= 1
    const behind = argv.slice(i + 1, i + 1 + MOST_WORDS)
    const end = behind.findIndex(later => later === ';' || later === '+')
    return [end < 0 ? behind : behind.slice(0, end)]
  })
}

function containerCommand(name: string, argv: readonly string[]): (readonly string[])[] {
  const dashes = argv.indexOf('--')
  if (/^(?:kubectl|oc)$/.test(name) && dashes > 0) return [argv.slice(dashes + 1)]
  if (/^(docker|podman|nerdctl|tmux)$/.test(name)) return endsOf(name === 'tmux' ? argv : unmounted(argv))
  return startsIn(name, argv)
}

/** `docker run -v /:/host x rm -rf /host`: what lies there is the host's own. */
function unmounted(argv: readonly string[]): readonly string[] {
  const mounts = mountsOf(argv.slice(0, MOST_OPTIONS))
    .filter(([, target]) => target !== '/')
    .map(([source, target]) => [source, target.replace(/\/+$/, '')] as const)
  const outside = (word: string): string =>
    mounts.reduce((text, [source, target]) => {
      const at = new RegExp(`(^|[\\s'"=])${target.replace(/[^\w/]/g, '\\$&')}(?=$|[\\s'"/;])`, 'g')
      return text.replace(at, (_, before: string) => before + (source === '/' ? '/' : source))
    }, word)
  return mounts.length === 0 ? argv : argv.map(word => (word.includes(':') ? word : outside(word)))
}

/** Where the command begins depends on options we do not know, so every word is taken for its beginning. */
const endsOf = (argv: readonly string[]): (readonly string[])[] =>
  /^(?:exec|run|new|new-session|new-window|split-window|neww|splitw|respawn-pane)$/.test(argv[1] ?? '')
    ? argv.slice(2, MOST_STARTS).flatMap((word, i) => (word.startsWith('-') ? [] : [argv.slice(i + 2)]))
    : []

/** What a shell would read where the words run in another directory: `env -C / rm -rf .` */
function elsewhere(argv: readonly string[]): string[] {
  const at = argv.slice(0, MOST_OPTIONS).findIndex(word => /^(?:-C|-D|--chdir)$|^--chdir=/.test(word))
  if (at < 0) return []
  const glued = /^--chdir=(.*)$/s.exec(argv[at] as string)?.[1]
  const start = at + (glued === undefined ? 2 : 1)
  const rest = argv.slice(start, start + MOST_OPTIONS)
  return [`cd ${inShell(glued ?? argv[at + 1] ?? '')} && ${rest.map(inShell).join(' ')}`]
}

/** `env T=/ sh -c 'rm -rf "$T"'` */
function withVariables(argv: readonly string[]): string[] {
  const set = argv.slice(1, MOST_OPTIONS).filter(word => /^[A-Za-z_]\w*=/.test(word))
  const start = set.length === 0 ? -1 : argv.lastIndexOf(set.at(-1) as string)
  const assigned = set.map(word => `${word.slice(0, word.indexOf('='))}=${inShell(word.slice(word.indexOf('=') + 1))}`)
  const rest = argv.slice(start + 1, start + 1 + MOST_OPTIONS)
  return start < 0 || rest.length === 0 ? [] : [`${assigned.join('; ')}; ${rest.map(inShell).join(' ')}`]
}

const inShell = (word: string): string => (/^[\w./~*:=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)

/** `sh -c 'rm -rf "$1"' _ /`: the words behind the script are its parameters. */
export function withParameters(script: string, words: readonly string[]): string {
  if (words.length === 0) return script
  return script.replace(/"\$\{?([0-9@*])\}?"|\$\{?([0-9@*])\}?/g, (_, quoted?: string, bare?: string) => {
    const name = quoted ?? bare ?? ''
    return (/[@*]/.test(name) ? words.slice(1) : [words[Number(name)] ?? '']).map(inShell).join(' ')
  })
}

function scriptsOf(argv: readonly string[]): string[] {
  const name = programName(argv[0] ?? '')
  if (name === 'eval') return [argv.slice(1).join(' ')]
  if (name === 'alias') return argv.slice(1).map(word => word.slice(word.indexOf('=') + 1))
  if (name === 'ssh') return [argv.slice(2).join(' '), ...argv.slice(2), ...scriptsIn(name, argv)]
  if (name === 'env')
    return [
      ...elsewhere(argv),
      ...withVariables(argv),
      ...argv.flatMap((word, i) =>
        /^(-[a-zA-Z]*S|--split-string)$/.test(word) ? argv.slice(i + 1, i + 2) : splitString(word),
      ),
    ]
  if (name === 'sudo') {
    const shell = argv.slice(0, MOST_OPTIONS).some(word => /^-[a-zA-Z]*[si]$|^--(?:shell|login)$/.test(word))
    const line = argv.slice(1, MOST_OPTIONS).filter(word => !word.startsWith('-'))
    return shell ? [...elsewhere(argv), line.join(' ')] : elsewhere(argv)
  }

  if (name === 'tmux') return argv.slice(2)
  if (name === 'git') return [...gitAliases(argv), ...scriptsIn(name, argv)]
  if (/^(?:vim?|nvim|ex|view|gdb|lldb|less|more)$/.test(name))
    return argv.flatMap(word => /^(?:-c|-ex|\+)?:?!\s*(.+)$/s.exec(word)?.[1] ?? [])
  if (name === 'trap' || name === 'watch' || name === 'parallel' || name === 'flock') return argv.slice(1, 4)
  if (/^cmd(\.exe)?$/i.test(name)) {
    const at = argv.findIndex(word => /^\/[ck]$/i.test(word))
    return at < 0 ? [] : [argv.slice(at + 1).join(' ')]
  }

  if (!SHELLS.test(name)) return scriptsIn(name, argv)
  const at = argv.findIndex((word, i) => i > 0 && (/^-[a-zA-Z]*c$/.test(word) || word === '--command'))
  const glued = argv.flatMap(word => /^--command=(.+)$/s.exec(word)?.[1] ?? [])
  if (/^(?:su|runuser|script)$/.test(name)) glued.push(...argv.flatMap(word => /^-c(.+)$/s.exec(word)?.[1] ?? []))

  if (at < 0) return glued
  let start = at + 1
  while (/^[-+]./.test(argv[start] ?? '')) start += /^[-+][oO]$/.test(argv[start] as string) ? 2 : 1
  const script = argv[start]
  return script === undefined ? glued : [...glued, withParameters(script, argv.slice(start + 1))]
}

/** What git would give to a shell. Only aliases: a message may begin with `!` too. */
function gitAliases(argv: readonly string[]): string[] {
  const names = argv.includes('config') && argv.some(word => /^alias\.[^=]+$/.test(word))
  return argv.flatMap(word => (names ? /^!(.+)$/s : /^alias\.[^=]*=!(.+)$/s).exec(word)?.[1] ?? [])
}

const splitString = (word: string): string[] => {
  const found = /^(?:-[a-zA-Z]*S|--split-string=)(.+)$/s.exec(word)
  return found?.[1] === undefined ? [] : [found[1]]
}

export const isShell = (word: string): boolean => SHELLS.test(programName(word))
