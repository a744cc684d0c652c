import { CHANGES_SHELL } from '../tools/shell-builtins.ts'

/** What a variable stands for while a line is read: HOME and PWD, and what the line itself sets. */
export type Values = ReadonlyMap<string, string>

/**
 * Names that a line may set for itself. A variable of the shell that is exported already reaches every program behind it, so
 * only names that no program and no shell listens to: small ones, and a few that people use for nothing else.
 */
export const mayBeSet = (name: string): boolean =>
  /^(?:[a-z][a-z0-9_]{0,31}|[A-Z]|DIR|FILE|FOLDER|NAME|SRC|PATTERN|QUERY|WORD)$/.test(name) &&
  !/proxy$|^(?:npm|bun|pnpm|yarn)_|^(?:histchars|auto_resume|path|prefix|exec_prefix)$/.test(name)

/** Whether a value stays one word, and the same one, where nothing is quoted. */
export const staysOneWord = (value: string): boolean => /^[A-Za-z0-9_./:@%+,=-]+$/.test(value)

/** `$?`: a number nobody knows beforehand. It may be printed, and nothing else. */
export const STATUS = '$?'

/** What every line may use. A request sets neither for a fresh shell, which finds PWD by itself. */
export const knownValues = (cwd: string, home: string | null | undefined): Values =>
  new Map([['PWD', cwd], ['?', STATUS], ...(home?.startsWith('/') ? [['HOME', home] as const] : [])])

/** What is known of variables behind a command. */
export function knownBehind(argv: readonly string[], values: Map<string, string>): void {
  const [program = '', first = ''] = argv
  if (MOVES.test(program)) values.delete('PWD')
  else if (CHANGES_SHELL.has(program) || program === 'builtin') values.clear()
  else if (program === 'command' && !/^-[vV]$/.test(first)) values.clear()
  else if (/^(?:printf|wait)$/.test(program) && first.startsWith('-')) values.clear()
}

export const MOVES = /^(?:cd|pushd|popd|chdir)$/
