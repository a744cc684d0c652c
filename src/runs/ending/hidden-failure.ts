import { constants } from 'node:os'

/** What a program says that prints on after its reader had enough: `yes | head` is no failure. */
const READER_GONE = 128 + constants.signals.SIGPIPE

/** The exit codes of a pipeline where one of its parts failed and the exit code does not say so; null: it hides nothing. */
export function hiddenFailure(end: {
  readonly exitCode: number | null
  readonly carried: { readonly pipestatus?: readonly number[] | undefined } | null
}): readonly number[] | null {
  const codes = end.carried?.pipestatus ?? []
  const hasFailed = codes.some(code => code !== 0 && code !== READER_GONE)
  return end.exitCode === 0 && codes.length > 1 && hasFailed ? codes : null
}
