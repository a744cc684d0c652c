/** Whose question it is: shown to the person, and what it is withdrawn with. */
export interface Requester {
  readonly requester: string
  readonly client: string
  /** It is the person who wants it: there is nobody else to ask. */
  readonly isPerson?: boolean
}
