import type { ToApprover } from '../contract/wire/approver-frames.ts'

type Frame<T extends ToApprover['type']> = Extract<ToApprover, { type: T }>

/** How a question ended without an answer. */
export const WITHDRAWN: Readonly<Record<Frame<'withdrawn'>['why'], string>> = {
  cancelled: 'Withdrawn by the agent: it did not run',
  asker_gone: 'Whoever asked is gone: it did not run',
  expired: 'Expired without an answer: it did not run',
  host_ends: 'The host ended: it did not run',
  person: 'You closed its terminal: it did not run',
}

/** While it waits. */
export const REMINDED: Readonly<Record<Frame<'reminder'>['stage'], string>> = {
  half: 'A question still waits: half of its time is over',
  late: 'A question is about to expire',
}

/** Which of two approvers with the same name it was is in the journal, not here. */
export const answeredWords = ({ outcome, yours, by }: Omit<Frame<'answered'>, 'type' | 'ask_id'>): string =>
  `${outcome === 'approved' ? 'Approved' : 'Declined'} by ${yours ? 'you' : by.replace(/ \(apr_[0-9a-f]+\)$/, '')}`

const ADMITTED_BY: Readonly<Record<Frame<'approver_joined'>['how'], string>> = {
  passphrase: 'the passphrase',
  code: 'a code',
  own_terminal: 'its terminal, which started the host',
  ticket: 'the host, which opened it',
}

export const joinedWords = ({ name, how }: Pick<Frame<'approver_joined'>, 'name' | 'how'>): string =>
  `${name} may answer now, too (admitted by ${ADMITTED_BY[how]})`
