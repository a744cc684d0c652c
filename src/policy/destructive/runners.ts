/** Programs whose trade is to run another one, or that have an option for it. Where it begins we need not know exactly. */

const RUNNERS =
  /^(?:npx|bunx|uvx|uv|poetry|pipenv|conda|mamba|mise|direnv|asdf|bundle|dotenvx?|cross-env|watchexec|entr|adb|multipass|lxc|hatch|pdm|rye|pixi|rbenv|pyenv|heroku|doppler|nix|vagrant|nodemon)$/
/** Only one of their commands runs a program; `npm rm` is another. */
const SOMETIMES = /^(?:npm|pnpm|yarn|bun)$/
const MOST_STARTS = 16

/** Where the command may begin: the first plain word behind `run` and the like, what may be the value of an option, and behind `--`. */
export function startsIn(name: string, argv: readonly string[]): (readonly string[])[] {
  if (!RUNNERS.test(name) && !(SOMETIMES.test(name) && /^(?:exec|x|dlx)$/.test(argv[1] ?? ''))) return []
  const starts: (readonly string[])[] = []
  for (let at = 1; at < Math.min(argv.length, MOST_STARTS); at += 1) {
    const word = argv[at] as string
    if (word.startsWith('-') || /^(?:run|exec|x|dlx|shell|ssh|tool)$|^[./]/.test(word)) continue
    starts.push(argv.slice(at))
    if (!/^-./.test(argv[at - 1] ?? '')) break
  }
  const dashes = argv.indexOf('--')
  return dashes < 0 ? starts : [...starts, argv.slice(dashes + 1)]
}

interface Giver {
  readonly program: RegExp
  /** The option whose value is a line for a shell. */
  readonly option: RegExp
}

const GIVERS: readonly Giver[] = [
  { program: /^(?:npx|npm|pnpm|yarn|vagrant)$/, option: /^(?:-c|--call|--command)$/ },
  { program: /^nix-shell$/, option: /^--(?:run|command)$/ },
  { program: /^(?:nodemon|watchexec)$/, option: /^(?:-x|--exec)$/ },
  { program: /^g?make$/, option: /^--eval$/ },
  { program: /^rsync$/, option: /^(?:-[a-zA-Z]*e|--rsh)$/ },
  { program: /^tar$/, option: /^(?:-[a-zA-Z]*[IF]|--(?:to-command|use-compress-program|info-script))$/ },
  { program: /^ssh$/, option: /^-o$/ },
  { program: /^expect$/, option: /^-c$/ },
  { program: /^git$/, option: /^(?:--exec|-x|foreach|--recursive)$/ },
]
/** What comes before the line in a value: `ProxyCommand=`, `exec=`, `EXEC:`. */
const BEFORE = /^(?:(?:Proxy|Local)Command[= ]|exec=|spawn\s|(?:EXEC|SYSTEM):)/i

/** Texts that such a program gives to a shell. */
export function scriptsIn(name: string, argv: readonly string[]): string[] {
  if (/^(?:concurrently|hyperfine)$/.test(name)) return argv.slice(1).filter(word => !word.startsWith('-'))
  if (name === 'socat') return argv.flatMap(word => (BEFORE.test(word) ? word.replace(BEFORE, '') : []))
  if (name === 'git' && argv[1] === 'bisect' && argv[2] === 'run') return [argv.slice(3).join(' ')]
  return GIVERS.filter(({ program }) => program.test(name)).flatMap(({ option }) =>
    argv.flatMap((word, i) => {
      const glued = /^(--[a-z-]+)=(.+)$/s.exec(word)
      if (glued?.[1] && (option.test(glued[1]) || glued[1] === '--checkpoint-action'))
        return (glued[2] as string).replace(BEFORE, '')
      return option.test(argv[i - 1] ?? '') ? word.replace(BEFORE, '') : []
    }),
  )
}
