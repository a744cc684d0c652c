import { GiveUp, type LiteralWord, readWord, type WordReading } from './literal-word.ts'

interface LiteralRedirection {
  readonly operator: string
  readonly end: number
  /** `< file`: what the command gets as its input. */
  readonly input: LiteralWord | null
}

/** To /dev/null, between stdout and stderr, or the input from a file. `prefix`: the stream before it, or `&>`. */
export function readRedirection(line: string, at: number, prefix: string, how: WordReading): LiteralRedirection {
  const shape =
    /^(?:&>>?|>>?|<)(?:&[12](?=[ \t\n;|&]|$)|[ \t]*\/dev\/null(?=[ \t\n;|&<>]|$))|^>[&|][ \t]*\/dev\/null(?=[ \t\n;|&<>]|$)/.exec(
      line.slice(at, at + 64),
    )
  const input = !shape && prefix === '' ? readInput(line, at, how) : null
  if (input) return { operator: '<', end: input.end, input }
  if (!shape) throw new GiveUp('a redirection to or from a file')
  const [text] = shape
  if (text.startsWith('&>') && (how.shell === 'sh' || text.includes('>&'))) throw new GiveUp('an &> redirection')
  // Only bash takes a file behind >&, and no stream before it.
  if (/^>&[^12]/.test(text) && (how.shell !== 'bash' || prefix !== '')) throw new GiveUp('an unusual redirection')
  if (text.startsWith('>>&') || text.startsWith('<&')) throw new GiveUp('an unusual redirection')
  if (text.startsWith('<') && prefix !== '') throw new GiveUp('an unusual redirection')
  return { operator: (prefix === '&>' ? '' : prefix) + text, end: at + text.length, input: null }
}

/** `< file`, and nothing that only looks like it. */
function readInput(line: string, at: number, how: WordReading): LiteralWord | null {
  const opening = /^<[ \t]*(?![<>&(|;\s])/.exec(line.slice(at, at + 64))
  if (!opening) return null
  const word = readWord(line, at + opening[0].length, how)
  return word.text === '' || word.glob || word.status ? null : word
}
