/** For whoever answers: what never reached them. */
export const turnedAwayWords = (count: number): string =>
  `${count} further ${count === 1 ? 'request was' : 'requests were'} refused: too many waiting`
