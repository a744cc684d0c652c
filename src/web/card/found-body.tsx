import { FOUND_DECLINED, FOUND_NAMES, FOUND_SAYS, foundMore } from '../../approving/change-words.ts'
import type { FoundQuestion } from '../../contract/wire/approver-frames.ts'
import type { WindowController } from '../controller/window-controller.ts'
import { Drawn } from '../parts/drawn.tsx'
import type { Card } from '../state/card.ts'

type Row = FoundQuestion['rows'][number]

/** What is in files and nobody is known to have decided: each row is kept or dropped. */
export function FoundBody({
  controller,
  card,
  question: q,
}: {
  controller: WindowController
  card: Card
  question: FoundQuestion
}) {
  const { drop } = card.draft
  const toggle = (id: string): void =>
    controller.draft(q.ask_id, { drop: drop.includes(id) ? drop.filter(each => each !== id) : [...drop, id] })
  return (
    <>
      <p class="mb-3">{FOUND_SAYS[q.when]}</p>
      <ul class="overflow-hidden rounded-xl border border-line bg-panel" data-found>
        {q.rows.map(row => (
          <Found key={row.id} row={row} kept={!drop.includes(row.id)} toggle={() => toggle(row.id)} />
        ))}
      </ul>
      <p class="mt-3 text-soft">
        Approve: what is ticked counts from now on, what is not is taken out of its file. {FOUND_DECLINED}{' '}
        {foundMore(q)}
      </p>
    </>
  )
}

const Found = ({ row, kept, toggle }: { row: Row; kept: boolean; toggle: () => void }) => (
  <li class="border-line not-first:border-t" data-found-row={row.id}>
    <label class="flex cursor-pointer gap-3 px-4 py-2">
      <input type="checkbox" class="mt-1" checked={kept} onChange={toggle} />
      <span class={`pill mt-0.5 h-fit ${kept ? 'pill-open' : 'pill-plain'}`}>
        {kept ? FOUND_NAMES[row.what] : 'Drop'}
      </span>
      <span class="min-w-0">
        <code class="code">
          <Drawn text={row.text} />
        </code>
        <span class="block text-[13px] text-soft">
          <Drawn text={row.means} as="prose" />
        </span>
        <span class="block text-[13px] text-soft">
          <Drawn text={row.file} />
        </span>
      </span>
    </label>
  </li>
)
