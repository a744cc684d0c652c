import { Fragment } from 'preact'
import { useMemo } from 'preact/hooks'
import type { DrawAs } from '../../contract/drawn-text.ts'
import { codeRows, cutPieces, type Mark, type Stretch, withCuts } from '../drawing/code-rows.ts'

const LOOKS: Readonly<Record<Stretch['look'], string>> = { plain: '', foreign: 'foreign', blank: 'blank', sign: 'sign' }
const NUMBERS = { open: 'pill-open', covered: 'pill-good', grave: 'pill-grave' } as const
const NO_MARKS: readonly Mark[] = []

/** Text of an agent inside a sentence of ours. `exact`: whoever marks and takes it from the page has the text itself, as of a path. */
export function Drawn({ text, as = 'command', exact = false }: { text: string; as?: DrawAs; exact?: boolean }) {
  const rows = useMemo(() => codeRows(text, NO_MARKS, as), [text, as])
  return (
    <bdi class="drawn">
      {rows.flatMap(({ stretches }) =>
        stretches.map(({ text: drawn, look }, i) => (
          <span key={i} class={LOOKS[look]}>
            {exact && drawn.length <= LONGEST_IN_PIECES ? <Pieces of={drawn} /> : withCuts(drawn)}
          </span>
        )),
      )}
    </bdi>
  )
}

/** A longer one would be too many elements. */
const LONGEST_IN_PIECES = 4096

/** Its cuts are drawn by the style sheet and are no part of the text. */
const Pieces = ({ of: drawn }: { of: string }) => (
  <>
    {cutPieces(drawn).map((piece, i) => (
      <Fragment key={i}>
        {i > 0 && <i class="cut" />}
        {piece}
      </Fragment>
    ))}
  </>
)

/** The whole text of an agent, line by line, numbered in a margin of ours; a single line needs no number. */
export function CodeView({
  text,
  marks = NO_MARKS,
  as = 'command',
}: {
  text: string
  marks?: readonly Mark[]
  as?: DrawAs
}) {
  const rows = useMemo(() => codeRows(text, marks, as), [text, marks, as])
  return (
    <div class="py-2">
      {rows.map(({ line, stretches }) => (
        <div key={line} class="flex">
          {rows.length > 1 ? (
            <span aria-hidden="true" class="line-number">
              {line}
            </span>
          ) : (
            <span class="w-4 shrink-0" />
          )}
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
      <i class="glue" />
      {words}
    </>
  )
}
