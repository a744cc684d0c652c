import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { numberRows } from '../../approving/day-numbers.ts'
import type { DayNumbers } from '../../contract/window/status-frames.ts'
import type { WindowController } from '../controller/window-controller.ts'
import { Drawn } from '../parts/drawn.tsx'
import { PageFrame } from '../parts/page-frame.tsx'
import { ProvedName } from '../parts/proved-name.tsx'
import { SureDialog } from '../parts/sure-dialog.tsx'

const HEALTH = { well: 'running', starting: 'starting', gone: 'not running' } as const

/** Who is connected, how the host is, and what the person was asked and said today. */
export function Status({ controller }: { controller: WindowController }) {
  const { host, link } = controller.state.value
  const [leaving, cut] = useState<Leaving | null>(null)
  return (
    <>
      <PageFrame name="status" title="Status">
        <div class="max-w-3xl space-y-7">
          <Today controller={controller} />
          <Part title="Agents">
            {host && host.clients.length > 0 ? (
              <ul class="space-y-1.5" data-agents>
                {host.clients.map(({ name, requester, connections, agent_id }) => (
                  <li key={`${agent_id} ${name}`} class="flex items-center gap-2">
                    <Drawn text={name === '' ? 'an agent that gave no name' : name} as="prose" />
                    <ProvedName requester={requester} />
                    <span class="grow text-soft">{connections > 1 ? `${connections} connections` : ''}</span>
                    <button
                      type="button"
                      class="ghost text-[12.5px] underline"
                      aria-label={`Cut off ${name}…`}
                      onClick={() => cut({ name, agent_id })}
                      data-cut-off-agent={agent_id}
                    >
                      Cut off…
                    </button>
                  </li>
                ))}
              </ul>
            ) : (
              <p class="text-soft">No agent is connected.</p>
            )}
          </Part>
          <Part title="Host">
            <dl class="grid grid-cols-[max-content_1fr] gap-x-6 gap-y-1.5">
              <Row name="Connection">{link.at === 'open' ? 'connected' : 'not connected'}</Row>
              {host && (
                <>
                  <Row name="Version">{host.version}</Row>
                  <Row name="Terminals">
                    {HEALTH[host.pty_host.health]}
                    {host.pty_host.health !== 'well' && (
                      <>
                        {': '}
                        <Drawn text={host.pty_host.detail} as="prose" />
                      </>
                    )}
                  </Row>
                  <Row name="Windows">{host.windows}</Row>
                  <Row name="Passphrase">{host.passphrase ? 'set' : 'not set'}</Row>
                </>
              )}
            </dl>
          </Part>
        </div>
      </PageFrame>
      {leaving && <CutOff controller={controller} of={leaving} onClose={() => cut(null)} />}
    </>
  )
}

interface Leaving {
  readonly name: string
  readonly agent_id: string
}

/** Said first, and done only by the second press. */
function CutOff({ controller, of, onClose }: { controller: WindowController; of: Leaving; onClose: () => void }) {
  const { name, agent_id } = of
  const cutOff = (): void => {
    void controller.ask({ type: 'agent_cut_off', agent_id }).then(reply => {
      if (reply?.type === 'done') controller.say('plain', `${name || 'It'} is cut off.`)
    })
  }
  return (
    <SureDialog
      title={
        <>
          Cut off <Drawn text={name === '' ? 'this agent' : name} />?
        </>
      }
      does="Cut off"
      mark={{ 'data-cut-off': true }}
      onSure={cutOff}
      onClose={onClose}
    >
      <ul class="list-disc space-y-1 pl-5">
        <li>Its connection ends, and all it asks is withdrawn: what waits for your approval never runs.</li>
        <li>What it runs already goes on. To end that, close its terminal.</li>
        <li>
          It is heard again only when its MCP server is started anew. A container is shut out for good by its key, in
          the list on the left.
        </li>
      </ul>
    </SureDialog>
  )
}

function Today({ controller }: { controller: WindowController }) {
  const [numbers, setNumbers] = useState<DayNumbers | null>(null)
  const { link } = controller.state.value
  useEffect(() => {
    if (link.at !== 'open') return
    const since = new Date().setHours(0, 0, 0, 0)
    void controller.query({ type: 'numbers_show', since }, 'numbers_shown').then(setNumbers)
  }, [controller, link.at])
  return (
    <Part title="Today">
      {numbers && (
        <dl class="grid grid-cols-3 gap-3 phone:grid-cols-2" data-numbers>
          {numberRows(numbers).map(({ name, value, note }) => (
            <div key={name} class="rounded-lg border border-line p-3">
              <dt class="text-[12.5px] text-soft">{name}</dt>
              <dd class="mt-0.5 text-[20px] font-semibold tabular-nums">{value}</dd>
              {note !== null && <dd class="mt-0.5 text-[12.5px] text-soft">{note}</dd>}
            </div>
          ))}
        </dl>
      )}
    </Part>
  )
}

function Part({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section aria-label={title}>
      <h2 class="label mb-2">{title}</h2>
      {children}
    </section>
  )
}

function Row({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <>
      <dt class="text-soft">{name}</dt>
      <dd>{children}</dd>
    </>
  )
}
