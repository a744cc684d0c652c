export interface SeenSlice {
  readonly first: number
  /** One behind the last. */
  readonly end: number
}

/** Rows above and below what is seen, so that nothing is blank while it scrolls. */
const AROUND = 8

/** Which rows of a list are drawn: those in view and a few around them, however long it is. */
export function seenSlice(
  { top, height }: { readonly top: number; readonly height: number },
  rowHeight: number,
  count: number,
): SeenSlice {
  const first = Math.max(0, Math.min(count, Math.floor(top / rowHeight)) - AROUND)
  return { first, end: Math.min(count, Math.ceil((top + height) / rowHeight) + AROUND) }
}
