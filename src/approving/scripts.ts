import type { CommandQuestion } from './question.ts'

type ShownScript = CommandQuestion['stands_for'][number]
type NotShown = CommandQuestion['not_shown'][number]

/** What the words of a line stand for; the body is shown below it. */
export const SCRIPT_KINDS: Readonly<Record<ShownScript['kind'], string>> = {
  script: 'Script',
  package_script: 'Package script',
  make_target: 'Make target',
}

/** What is missing below a body; null: nothing. */
export const omittedWords = ({ omitted_bytes }: Pick<ShownScript, 'omitted_bytes'>): string | null =>
  omitted_bytes > 0 ? `${omitted_bytes.toLocaleString('en')} more bytes are not shown here.` : null

/** Above files that run with what is on the card and are not on it. */
export const NOT_SHOWN = 'Not shown here, but it runs with it'

/** Which file, and what loads it; the words are of others, whoever shows them draws them. */
export const notShownWords = ({ name, path, by }: NotShown): string => `${path ?? name}, loaded by ${by}`
