import type { DoubleQuotedChild, Word, WordPart } from 'unbash'
import { STATUS, staysOneWord, type Values } from './line-variables.ts'

/** The words that a shell makes of one word of the grammar, or why that is unknown. */
export type GrammarWord =
  | {
      readonly texts: readonly string[]
      readonly glob: boolean
      /** Whether `$?` is in it. */
      readonly status: boolean
      /** Whether a variable is in it. */
      readonly expanded: boolean
    }
  | { readonly problem: string }

export function readGrammarWord(word: Word, values: Values): GrammarWord {
  const parts = word.parts ?? []
  const glob = parts.some(part => part.type === 'Glob')
  // In quotes it is a character like any other: `rg ' =~ '`.
  const bare = word.parts?.map(part => (part.type === 'Literal' ? part.text : 'q')).join('') ?? word.text
  if (/^~|[=:]~/.test(bare)) return { problem: 'a home directory' }
  if (parts.some(part => part.type === 'BraceExpansion')) return braced(word)
  if (parts.every(isLiteral)) return { texts: [word.value], glob, status: false, expanded: false }
  let text = ''
  let status = false
  for (const part of parts) {
    const read = isLiteral(part) ? literalText(part) : variableText(part, values)
    if (read === null) return { problem: `a ${part.type} in a word` }
    if (read.includes(STATUS) && part.type !== 'SingleQuoted' && part.type !== 'Literal') status = true
    text += read
  }
  return { texts: [text], glob, status, expanded: true }
}

function isLiteral(part: WordPart): boolean {
  if (part.type === 'Literal' || part.type === 'SingleQuoted') return true
  if (part.type === 'Glob')
    return part.kind !== 'bracket' || part.parts?.every(inner => inner.type === 'Literal') === true
  return part.type === 'DoubleQuoted' && part.parts.every(inner => inner.type === 'Literal')
}

function literalText(part: WordPart): string | null {
  if (part.type === 'Literal' || part.type === 'SingleQuoted') return part.value
  if (part.type === 'Glob') return part.text
  return part.type === 'DoubleQuoted' ? quotedText(part.parts, new Map()) : null
}

/** Without quotes a value may become several words, or none. */
function variableText(part: WordPart, values: Values): string | null {
  if (part.type === 'DoubleQuoted') return quotedText(part.parts, values)
  const value = standsFor(part, values)
  return value !== null && (value === STATUS || staysOneWord(value)) ? value : null
}

function quotedText(parts: readonly DoubleQuotedChild[], values: Values): string | null {
  const texts = parts.map(part => (part.type === 'Literal' ? part.value : standsFor(part, values)))
  return texts.includes(null) ? null : texts.join('')
}

function standsFor(part: WordPart | DoubleQuotedChild, values: Values): string | null {
  if (part.type === 'SimpleExpansion') return values.get(part.text.slice(1)) ?? null
  const plain =
    part.type === 'ParameterExpansion' && part.text === `\${${part.parameter}}` && /^\w+$/.test(part.parameter)
  return plain ? (values.get(part.parameter) ?? null) : null
}

const MOST_BRACED = 64

/** Braces come before everything else a shell does with a word, so nothing else may be in it but wildcards. */
function braced(word: Word): GrammarWord {
  const problem = { problem: 'a BraceExpansion in a word' }
  let texts = ['']
  for (const part of word.parts ?? []) {
    const choices = part.type === 'BraceExpansion' ? choicesOf(part.text) : plainText(part)
    if (choices === null || texts.length * choices.length > MOST_BRACED) return problem
    texts = texts.flatMap(text => choices.map(choice => text + choice))
  }
  if (texts.some(text => text === '') || (/=/.test(word.text) && !word.text.startsWith('-'))) return problem
  return { texts, glob: texts.some(text => /[*?]/.test(text)), status: false, expanded: false }
}

const PLAIN = /^[\w./*?:@%+=-]*$/

function plainText(part: WordPart): string[] | null {
  const isPlain =
    (part.type === 'Literal' || (part.type === 'Glob' && part.kind !== 'bracket')) && PLAIN.test(part.text)
  return isPlain ? [part.text] : null
}

function choicesOf(text: string): string[] | null {
  const inner = text.slice(1, -1)
  if (!text.startsWith('{') || !text.endsWith('}')) return null
  const choices = inner.split(',')
  if (choices.length > 1) return choices.every(choice => PLAIN.test(choice)) ? choices : null
  const range = /^(0|[1-9]\d{0,2})\.\.(0|[1-9]\d{0,2})$/.exec(inner)
  if (!range) return null
  const ends = [Number(range[1]), Number(range[2])] as const
  const step = ends[0] <= ends[1] ? 1 : -1
  const numbers: string[] = []
  for (let at = ends[0]; at !== ends[1] + step && numbers.length <= MOST_BRACED; at += step) numbers.push(String(at))
  return numbers
}
