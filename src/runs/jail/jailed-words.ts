import { INSIDE, type ProfileLine, STARTER } from './profile.ts'

export interface JailParts {
  readonly filterFile: string
  readonly bubblewrap: { readonly path: string }
  readonly lines: readonly ProfileLine[]
}

/** What is really started: the words behind the shell that opens the files. `argv` without the program's own name. */
export function jailedWords(
  { filterFile, bubblewrap, lines }: JailParts,
  program: string,
  argv: readonly string[],
  statusFile: string,
): string[] {
  const words = lines.flatMap(({ args }) => args)
  const around = ['-c', STARTER, 'sandbox', filterFile, statusFile, bubblewrap.path]
  return [...around, ...words, '--', ...INSIDE, '--', program, ...argv]
}

/** Variables that mean the same inside. */
const KEPT =
  /^(?:PATH|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_[A-Z]+|TZ|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|CLICOLOR(?:_FORCE)?|CI|NODE_ENV|COLUMNS|LINES|VIRTUAL_ENV|GIT_\w+|\w*PAGER|LESS|DEBIAN_FRONTEND|\w+_NO_\w+|NO_UPDATE_NOTIFIER|TF_INPUT|RUST_BACKTRACE)$/

/** What a command gets inside: nothing that leads to a socket, a screen or a key; caches go where they may be written. */
export function jailedEnv(env: Readonly<Record<string, string>>, home: string): Record<string, string> {
  const kept = Object.entries(env).filter(([name]) => KEPT.test(name))
  const scratch = { HOME: home, TMPDIR: '/tmp', XDG_CACHE_HOME: '/tmp/.cache', npm_config_cache: '/tmp/.npm' }
  return { ...Object.fromEntries(kept), ...scratch, npm_config_update_notifier: 'false', PYTHONDONTWRITEBYTECODE: '1' }
}
