/** How a shell makes words out of braces and `$'…'`, as far as the destructive rules need it. */
const MOST_BRACED = 64
/** Braces and commas in quotes are text; they are set aside so that the others can be expanded. */
const SHIELDS: readonly (readonly [string, string])[] = [
  ['{', '\u{f0000}'],
  ['}', '\u{f0001}'],
  [',', '\u{f0002}'],
]
export const shielded = (text: string): string =>
  /[{},]/.test(text) ? SHIELDS.reduce((kept, [plain, shield]) => kept.replaceAll(plain, shield), text) : text
/** All three shields begin with the same half character, which is quick to look for. */
export const bared = (text: string): string =>
  text.includes('\udb80') ? SHIELDS.reduce((kept, [plain, shield]) => kept.replaceAll(shield, plain), text) : text

/** `{rm,-rf,/}` is three words to a shell, `/{bin,etc}` two. */
export function expandBraces(word: string): string[] {
  if (!word.includes('{')) return [word]
  let words = [word]
  for (let turn = 0; turn < 4; turn += 1) {
    const next = words.flatMap(one => {
      const list = /^(.*?)(?<!\$)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(one)
      if (!list) return [one]
      const [, before = '', items = '', after = ''] = list
      return items.split(',').map(item => before + item + after)
    })
    if (next.length === words.length || next.length > MOST_BRACED) return words
    words = next
  }
  return words
}

/** `\\x72` and the like. */
export function decodeAnsiC(text: string): string {
  return text.replace(/\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|u[0-9a-fA-F]{1,4}|.)/gs, (_, code: string) => {
    if (/^[xu]./.test(code)) return String.fromCodePoint(Number.parseInt(code.slice(1), 16))
    if (/^[0-7]/.test(code)) return String.fromCodePoint(Number.parseInt(code, 8))
    return { n: '\n', t: '\t' }[code] ?? code
  })
}

export const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/
export const DECLARES = /^(?:export|declare|typeset|local|readonly)$/
export const RUN_BY_OTHERS = /(?:PAGER|EDITOR|VISUAL|_COMMAND|LESSOPEN|LESSCLOSE|_DIFF)$/

/** The values in `a=(x y)`, given `a=` and what follows it. */
export function listIn(word: string, rest: string): { name: string; values: string[]; length: number } | null {
  const name = /^(\w+)\+?=$/.exec(word)?.[1]
  const [whole, values = ''] = /^\(([^()]*)\)/.exec(rest) ?? []
  if (name === undefined || whole === undefined) return null
  return { name, values: values.trim().replace(/['"]/g, '').split(/\s+/), length: whole.length }
}

/** The text of a here-document up to its mark, and how far it goes with it. */
export function documentIn(text: string, mark: string): { body: string; length: number } {
  const lines = text.split('\n')
  const last = lines.findIndex(line => line.replace(/^\t+/, '') === mark)
  const body = lines.slice(0, last < 0 ? lines.length : last).join('\n')
  return { body, length: body.length + (last < 0 ? 0 : 1 + (lines[last] ?? '').length) }
}

const OPENERS = new Set('if then else elif do while until ! { coproc && || ('.split(' '))
/** Words in front of the program: keywords and assignments. */
export const isPrelude = (word: string): boolean => OPENERS.has(word) || ASSIGNMENT.test(word)

export function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}
