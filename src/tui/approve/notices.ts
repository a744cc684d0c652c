/** What the line below a question says, where it is a word of ours. */
export const LET_IN_BY = {
  passphrase: 'the passphrase',
  code: 'a code',
  own_terminal: 'having started the host',
  ticket: 'the host, which opened it',
} as const

export const WITHDRAWN = {
  cancelled: 'withdrawn by the agent: it did not run',
  asker_gone: 'withdrawn: whoever asked is gone',
  expired: 'expired without an answer: it did not run',
  host_ends: 'withdrawn: the host ends',
  person: 'withdrawn: you closed its terminal',
} as const
