import type { Result } from '../../contract/tool/response.ts'

/**
 * What a program printed, between two lines that say so: it is data, whatever it says. A program cannot end it itself: where the
 * last line stands in its output, both have more dashes.
 */
export function presentOutput(result: Result): string[] {
  const text = outputText(result)
  if (text === '') return []
  const inside = [...text.matchAll(/^(-{3,}) end$/gm)].map(([, dashes = '']) => dashes.length)
  const dashes = '-'.repeat(Math.max(2, ...inside) + 1)
  return [`${dashes} ${titleOf(result)}`, text, `${dashes} end`]
}

function titleOf({ screen, base64, matches }: Result): string {
  if (screen)
    return `data: screen of ${screen.cols} x ${screen.rows}, cursor in row ${screen.cursor_row}, column ${screen.cursor_column}`
  return base64 !== undefined ? 'data in base64' : matches ? 'data: lines found' : 'data'
}

function outputText(result: Result): string {
  if (result.screen) return result.screen.text
  if (result.base64 !== undefined) return result.base64
  if (result.matches) return result.matches.map(foundLine).join('\n')
  return trimEnd(mergedStreams(result))
}

/** As grep does: a colon behind the place of a match, and the lines around it indented. */
function foundLine({ offset, line, before = [], after = [] }: NonNullable<Result['matches']>[number]): string {
  const around = (lines: readonly string[]) => lines.map(each => `  ${each}`)
  return [...around(before), `@${offset}: ${line}`, ...around(after)].join('\n')
}

/** Everything that was printed, as one text. */
export const mergedStreams = (result: Result): string =>
  result.stderr
    ? streams(result)
        .filter(line => line !== '')
        .join('\n')
    : (result.stdout ?? '')

/** stdout and stderr in the order they came. */
function streams({ stdout = '', stderr = '', order }: Result): string[] {
  if (stderr === '') return [trimEnd(stdout)]
  const turns = order ?? [{ stream: 'stderr' as const, chars: stderr.length }]
  const at = { stdout: 0, stderr: 0 }
  const text = { stdout, stderr }
  const lines = turns.map(({ stream, chars }) => {
    const words = trimEnd(text[stream].slice(at[stream], at[stream] + chars))
    at[stream] += chars
    return stream === 'stderr' ? `[stderr] ${words}` : words
  })
  // More turns than are listed: the rest of each, one after the other.
  lines.push(trimEnd(stdout.slice(at.stdout)))
  const rest = trimEnd(stderr.slice(at.stderr))
  return rest === '' ? lines : [...lines, `[stderr] ${rest}`]
}

const trimEnd = (text: string): string => text.replace(/\n$/, '')
