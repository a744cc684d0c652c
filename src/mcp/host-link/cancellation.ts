/** A client whose own clock ran out has not asked for an end: the run lives on and can be read later. */
export function wantsItStopped(signal: AbortSignal): boolean {
  return signal.aborted && !/time[d ]?\s?-?out/i.test(String(signal.reason))
}
