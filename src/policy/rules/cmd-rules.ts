/** Why only an exact rule may cover a word for cmd, never a wildcard: options there begin with a slash, and values are glued on. */
export function cmdBeyondWildcard(argv: readonly string[]): { readonly at: number; readonly why: string }[] {
  const sorts = /^sort(?:\.exe)?$/i.test(argv[0] ?? '')
  return argv.flatMap((word, at) => {
    if (at === 0) return []
    if (sorts && /^\/[ot]/i.test(word)) return [{ at, why: 'writes a file' }]
    return /^\/\w+:(?:\\\\|\/\/)/.test(word)
      ? [{ at, why: 'is on another machine, which would be sent a sign-in' }]
      : []
  })
}
