import type { Question } from '../../contract/wire/approver-frames.ts'
import { drawn } from './drawn.ts'

const LONGEST_TITLE = 60

/** A question in a few words. */
export function titleOf(question: Question): string {
  const text =
    question.kind === 'rules'
      ? `rules of ${question.workspace_id}`
      : question.kind === 'pairing'
        ? `pairing of ${question.name}`
        : question.kind === 'setup'
          ? `setup of ${question.target}`
          : question.kind === 'found'
            ? 'what files of yours say'
            : question.intent === 'open_only'
              ? 'a shell'
              : [question.command, ...(question.args ?? [])].join(' ')
  const shown = drawn(text)
  return shown.length > LONGEST_TITLE ? `${shown.slice(0, LONGEST_TITLE)}…` : shown
}
