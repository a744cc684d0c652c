import { nameParts } from '../contract/terminal-name.ts'
import type { InputQuestion, Question } from '../contract/wire/approver-frames.ts'
import { isFromFiles } from './who-asks.ts'

export type CommandQuestion = Extract<Question, { kind: 'command' }>

export const isGrave = (question: Question): boolean =>
  (question.kind === 'command' || question.kind === 'input') && question.grave

/** Another line can be approved in its place. */
export const isEditable = (question: Question): boolean =>
  question.kind === 'command' && question.intent === 'execute_command'

/** The command as one line to edit; separate arguments are quoted, so that it means the same. */
export function lineOf(question: Question): string {
  if (question.kind !== 'command') return ''
  return commandLine(question)
}

export function commandLine({ command, args }: { readonly command: string; readonly args: readonly string[] | null }) {
  if (!args) return command
  const quoted = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)
  return [command, ...args].map(quoted).join(' ')
}

/** A question in a few words, still in the words of the agent: whoever shows it draws it. */
export function titleOf(question: Question): string {
  if (question.kind === 'rules') return `Rules of ${question.workspace_id ?? 'no workspace'}`
  if (question.kind === 'pairing') return `Pair ${question.name}`
  if (question.kind === 'setup') return `Set up ${question.target}`
  if (question.kind === 'found') return question.when === 'start' ? 'What your files say' : 'Written into your files'
  if (question.kind === 'input') return `Type ${inputInWords(question.input)}`
  if (question.intent === 'open_only') return 'Open a shell'
  return question.args ? [question.command, ...question.args].join(' ') : question.command
}

/** In one line: the text, and each key by its name. The text is an agent's: whoever shows it draws it. */
const inputInWords = (input: InputQuestion['input']): string =>
  input.map(piece => ('text' in piece ? piece.text : `<${piece.key}>`)).join('')

/** Who asks, before what is asked. */
export const askerOf = ({ requester }: Pick<Question, 'requester'>): string =>
  requester === 'person' ? 'You' : isFromFiles(requester) ? 'Files of yours' : 'An agent'

/** What is asked, behind who asks; drawn, it may name a client. */
export function asksTo(question: Question): string {
  const plural = question.requester === 'person' || isFromFiles(question.requester)
  const asks = plural ? 'ask to' : 'asks to'
  switch (question.kind) {
    case 'rules':
      return `${isFromFiles(question.requester) ? 'would' : asks} change what runs without asking`
    case 'pairing':
      return `${asks} pair a container`
    case 'setup':
      return `${asks} change ${question.target}’s own files`
    case 'input':
      return `${asks} type into what runs in ${nameParts(question.terminal_name).join(', ')}`
    case 'found':
      return 'say more than you decided'
    case 'command':
      return question.intent === 'open_only' ? `${asks} open a shell of yours` : `${asks} run`
  }
}
