/** A question that comes once more because the disk is not what it was: what is said of it, in the window and in a terminal. */
export const ASKED_AGAIN = 'Asked again: after you said yes, something was changed. Nothing ran.'

/** What is said of the card before it, which was approved. */
export const CHANGED_BEFORE_START = 'Changed before it started: it did not run'

/** The same where something else was in the way. */
export const NOT_STARTED = 'Approved, but it could not start: it did not run'

interface RequestOfCard {
  readonly request_id: string
  readonly requester: string
  readonly ask_id: string
  readonly changed?: readonly string[]
}

/** Whether `before` was a card about the same request, which `now` replaces. */
export const replaces = (now: RequestOfCard, before: RequestOfCard): boolean =>
  (now.changed ?? []).length > 0 &&
  now.ask_id !== before.ask_id &&
  now.request_id === before.request_id &&
  now.requester === before.requester
