/** Takes `sudo -u x nice -n 5 sh -c 'rm …'` down to what is really run, layer by layer. Pure. */

/** Options of a wrapper that take the next word as their value, and how many operands stand before the wrapped command. */
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
  xargs: { values: '-I -i -n -P -L -d -a -E -s --replace --max-args --max-procs --max-lines --delimiter --arg-file' },
  parallel: { values: '-j -S --jobs' },
  watch: { values: '-n --interval' },
  strace: { values: '-o -e -p -s -u' },
  ltrace: { values: '-o -e' },
  chroot: { operands: 1 },
  unshare: {},
  nsenter: { values: '-t --target' },
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

export const programName = (word: string): string => word.slice(word.lastIndexOf('/') + 1)

export interface Unwrapped {
  /** Every argv that may be run, the outer ones too. */
  readonly commands: readonly (readonly string[])[]
  /** Text that a shell in it would read as a line of its own. */
  readonly scripts: readonly string[]
}

export function unwrap(argv: readonly string[], depth = 0): Unwrapped {
  const commands: (readonly string[])[] = [argv]
  const scripts: string[] = []
  const inner = depth < DEEPEST ? wrapped(argv) : []
  for (const layer of inner) {
    const deeper = unwrap(layer, depth + 1)
    commands.push(...deeper.commands)
    scripts.push(...deeper.scripts)
  }
  scripts.push(...scriptsOf(argv))
  return { commands, scripts }
}

/** The commands directly inside a wrapper. More than one where an unknown option may or may not take a value. */
function wrapped(argv: readonly string[]): (readonly string[])[] {
  const name = programName(argv[0] ?? '')
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
  return argv.flatMap((word, i) => {
    if (!/^(-exec|-execdir|-ok|-okdir|-x|-X|--exec|--exec-batch)$/.test(word)) return []
    const end = argv.findIndex((later, at) => at > i && (later === ';' || later === '+'))
    return [argv.slice(i + 1, end < 0 ? undefined : end)]
  })
}

function containerCommand(name: string, argv: readonly string[]): (readonly string[])[] {
  const dashes = argv.indexOf('--')
  if (/^(npm|pnpm|yarn)$/.test(name) && !/^(exec|x|dlx)$/.test(argv[1] ?? '')) return []
  if (/^(kubectl|oc|npx|npm|pnpm|yarn|bunx|uvx|uv|poetry|pipenv|conda|mise|direnv)$/.test(name) && dashes > 0)
    return [argv.slice(dashes + 1)]
  if (/^(npx|bunx|uvx)$/.test(name)) return [argv.slice(1).filter((word, i) => i > 0 || !word.startsWith('-'))]
  return []
}

function scriptsOf(argv: readonly string[]): string[] {
  const name = programName(argv[0] ?? '')
  if (name === 'eval') return [argv.slice(1).join(' ')]
  if (name === 'alias') return argv.slice(1).map(word => word.slice(word.indexOf('=') + 1))
  if (name === 'ssh') return [argv.slice(2).join(' '), ...argv.slice(2)]
  if (name === 'env')
    return argv.flatMap((word, i) =>
      /^(-S|--split-string)$/.test(word) ? argv.slice(i + 1, i + 2) : splitString(word),
    )
  if (name === 'trap' || name === 'watch' || name === 'parallel' || name === 'flock') return argv.slice(1, 4)
  if (/^cmd(\.exe)?$/i.test(name)) {
    const at = argv.findIndex(word => /^\/[ck]$/i.test(word))
    return at < 0 ? [] : [argv.slice(at + 1).join(' ')]
  }
  if (!SHELLS.test(name)) return []
  const at = argv.findIndex((word, i) => i > 0 && (/^-[a-zA-Z]*c$/.test(word) || word === '--command'))
  const glued = argv.flatMap(word => (word.startsWith('--command=') ? [word.slice(10)] : []))
  return at < 0 ? glued : [...glued, ...argv.slice(at + 1, at + 2)]
}

const splitString = (word: string): string[] => {
  const found = /^(?:-S|--split-string=)(.+)$/s.exec(word)
  return found?.[1] === undefined ? [] : [found[1]]
}

export const isShell = (word: string): boolean => SHELLS.test(programName(word))
