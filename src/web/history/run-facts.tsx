import type { ComponentChildren } from 'preact'
import type { HistoryItem, HistoryOpened } from '../../contract/window/history-frames.ts'
import { Drawn } from '../parts/drawn.tsx'
import { Asker } from './run-row.tsx'
import { approvalInWords, durationOf, LANES, whenInWords } from './run-words.ts'

const VERDICTS: Readonly<Record<string, string>> = {
  auto: 'a rule covers it',
  approval: 'needs approval',
  blocked: 'may not run',
  destructive: 'destroys too much to run',
}

/** What is known of a run, from its records. What nothing says has no row. */
export function RunFacts({ item, said }: { item: HistoryItem; said: HistoryOpened['said'] }) {
  const at = (time: string | undefined) => time && whenInWords(Date.parse(time), new Date(0))
  const names = said.env_names.length > 0 ? said.env_names.join(', ') : null
  return (
    <dl
      class="mt-4 grid grid-cols-[max-content_1fr_max-content_1fr] gap-x-6 gap-y-1.5 text-[13px] phone:grid-cols-[max-content_1fr]"
      data-facts
    >
      <Fact name="Asked for by">
        <Asker item={item} />
      </Fact>
      <Fact name="Asked for at">{at(said.received_at)}</Fact>
      <Fact name="Where">
        <Drawn text={item.cwd} />
      </Fact>
      <Fact name="Project">{item.workspace_id && <Drawn text={item.workspace_id} />}</Fact>
      <Fact name="Lane">{LANES[item.lane]}</Fact>

      <Fact name="Verdict">
        {item.verdict && (VERDICTS[item.verdict] ?? item.verdict)}
        {said.rule !== undefined && (
          <>
            {': '}
            <Drawn text={said.rule} />
          </>
        )}
      </Fact>
      <Fact name="Approval">{approvalInWords(item)}</Fact>
      <Fact name="Started at">{at(said.started_at)}</Fact>
      <Fact name="Ended at">{at(said.ended_at)}</Fact>
      <Fact name="Took">{durationOf(item)}</Fact>
      <Fact name="Variables it set">{names && <Drawn text={names} />}</Fact>
      <Fact name="Program">{said.executable && <Drawn text={said.executable} />}</Fact>
      <Fact name="Id">
        <code class="font-mono text-[12.5px] break-all">{item.session_id}</code>
      </Fact>
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  const given = Array.isArray(children) ? children.some(Boolean) : Boolean(children)
  if (!given) return null
  return (
    <>
      <dt class="text-soft">{name}</dt>
      <dd class="min-w-0">{children}</dd>
    </>
  )
}
