import { starsMatch } from '../../policy/reads/wildcard.ts'

/** Why a wildcard cannot be expanded exactly as a shell would do it. */
export class Unfaithful extends Error {}

/** One name of a path: which names of a directory it stands for. Wildcards in it that were quoted have a backslash before them. */
export interface GlobName {
  /** The name itself, where nothing in it is a wildcard. */
  readonly literal: string | null
  matches(name: string): boolean
}

type Token = 'any' | ((char: string) => boolean)

export function globName(pattern: string): GlobName {
  const { tokens, isLiteral, text } = readTokens([...pattern])
  const bytes = readTokens(bytesOf(pattern)).tokens
  const hidden = /^\\?\./.test(pattern)
  // Where the locale is C, a character beyond ASCII is several to the shell.
  const matches = (name: string) =>
    (hidden || !name.startsWith('.')) && (allMatch(tokens, [...name]) || allMatch(bytes, bytesOf(name)))
  if (!isLiteral && (matches('.') || matches('..')))
    throw new Unfaithful('shells differ on whether it stands for . and .. as well')

  return { literal: isLiteral ? text : null, matches }
}

const bytesOf = (text: string): string[] => [...Buffer.from(text).toString('latin1')]

function readTokens(chars: readonly string[]): {
  readonly tokens: readonly Token[]
  readonly isLiteral: boolean
  readonly text: string
} {
  const tokens: Token[] = []
  let isLiteral = true
  let text = ''

  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] as string
    const set = char === '[' ? readSet(chars, at) : null
    if (char === '*') {
      if (tokens.at(-1) !== 'any') tokens.push('any')
      isLiteral = false
    } else if (char === '?') {
      tokens.push(() => true)
      isLiteral = false
    } else if (set) {
      tokens.push(set.has)
      isLiteral = false
      at = set.end
    } else {
      const plain = char === '\\' ? (chars[++at] ?? '\\') : char
      tokens.push(each => each === plain)
      text += plain
    }
  }

  return { tokens, isLiteral, text }
}

/** `[abc]`, `[a-z]`, `[!x]`; null where the bracket is not closed and so only a bracket. */
function readSet(
  chars: readonly string[],
  start: number,
): { readonly has: (char: string) => boolean; end: number } | null {
  let at = start + 1
  // To some shells it is one of the characters.
  if (chars[at] === '^') throw new Unfaithful('shells differ on what [^ stands for')
  const not = chars[at] === '!'
  if (not) at += 1
  const members: { readonly char: string; readonly quoted: boolean }[] = []
  for (let first = true; ; first = false) {
    const char = chars[at]
    if (char === undefined) return null
    if (char === ']' && !first) break
    if (char === '[' && /^[:.=]$/.test(chars[at + 1] ?? '')) throw new Unfaithful('it has a class of characters')
    if (char === '\\') at += 1
    members.push({ char: chars[at] ?? '\\', quoted: char === '\\' })
    at += 1
  }
  const tests = ranges(members)
  return { has: char => tests.some(test => test(char)) !== not, end: at }
}

function ranges(
  members: readonly { readonly char: string; readonly quoted: boolean }[],
): ((char: string) => boolean)[] {
  const tests: ((char: string) => boolean)[] = []
  for (let i = 0; i < members.length; i++) {
    const { char } = members[i] as { char: string }
    const dash = members[i + 1]
    const last = members[i + 2]
    if (dash?.char === '-' && !dash.quoted && last !== undefined) {
      // Beyond ASCII, and backwards, what lies between two characters depends on the language.
      if (char > '\x7f' || last.char > '\x7f' || char > last.char) throw new Unfaithful('it has an unusual range')
      tests.push(each => each >= char && each <= last.char)
      i += 2
    } else tests.push(each => each === char)
  }
  return tests
}

function allMatch(tokens: readonly Token[], name: readonly string[]): boolean {
  const fits = (token: number, at: number): boolean => {
    const wanted = tokens[token]
    return typeof wanted === 'function' && wanted(name[at] as string)
  }
  return starsMatch({ length: tokens.length, isStar: token => tokens[token] === 'any' }, { length: name.length, fits })
}
