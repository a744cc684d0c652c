import { useMemo } from 'preact/hooks'
import { codeRows, type Mark, type Stretch, withCuts } from '../drawing/code-rows.ts'

const LOOKS: Readonly<Record<Stretch['look'], string>> = { plain: '', foreign: 'foreign', blank: 'blank', sign: 'sign' }
const NUMBERS = { open: 'pill-open', covered: 'pill-good', grave: 'pill-grave' } as const
const NO_MARKS: readonly Mark[] = []

/** Text of an agent inside a sentence of ours. */
export function Drawn({ text }: { text: string }) {
  const rows = useMemo(() => codeRows(text), [text])
  return (
    <bdi class="drawn">
      {rows.flatMap(({ stretches }) =>
        stretches.map((stretch, i) => <Piece key={i} stretch={stretch} marks={NO_MARKS} />),
      )}
    </bdi>
  )
}

/** The whole text of an agent, line by line, numbered in a margin of ours. */
export function CodeView({ text, marks = NO_MARKS }: { text: string; marks?: readonly Mark[] }) {
  const rows = useMemo(() => codeRows(text, marks), [text, marks])
  return (
    <div class="py-2">
      {rows.map(({ line, stretches }) => (
        <div key={line} class="flex">
          <span aria-hidden="true" class="line-number">
            {line}
          </span>
          <code class="drawn code min-w-0 grow pr-4" data-row={line}>
            {stretches.map((stretch, i) => (
              <Piece key={i} stretch={stretch} marks={marks} />
            ))}
          </code>
        </div>
      ))}
    </div>
  )
}

function Piece({ stretch: { text, look, mark, begins }, marks }: { stretch: Stretch; marks: readonly Mark[] }) {
  const tone = mark === null ? null : (marks[mark]?.tone ?? null)
  const words = <span class={`${LOOKS[look]} ${tone === null ? '' : `part part-${tone}`}`}>{withCuts(text)}</span>
  if (!begins || tone === null || mark === null || marks.length < 2) return words
  return (
    <>
      {/* The number is drawn by the style sheet: the text of this element is the command and nothing else. */}
      <span class={`part-number ${NUMBERS[tone]}`} data-number={mark + 1} aria-hidden="true" />
      {words}
    </>
  )
}
