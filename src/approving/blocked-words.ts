/** Above the commands that an agent tried and nobody was asked about. */
export const blockedTitle = (count: number): string =>
  `${count === 1 ? '1 command was' : `${count} commands were`} refused without asking you`

/** Below the newest of them, if there were more; null: all are shown. */
export const blockedBefore = (count: number, shown: number): string | null =>
  count > shown ? `and ${count - shown} before; the journal has them all` : null

/** For whoever answers: what never reached them. */
export const turnedAwayWords = (count: number): string =>
  `${count} further ${count === 1 ? 'request was' : 'requests were'} refused: too many waiting`
