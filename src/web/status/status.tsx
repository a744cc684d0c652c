import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { numberRows } from '../../approving/day-numbers.ts'
import type { DayNumbers } from '../../contract/window/status-frames.ts'
import type { WindowController } from '../controller/window-controller.ts'
import { Drawn } from '../parts/drawn.tsx'
import { PageFrame } from '../parts/page-frame.tsx'
import { ProvedName } from '../parts/proved-name.tsx'

const HEALTH = { well: 'running', starting: 'starting', gone: 'not running' } as const

/** Who is connected, how the host is, and what the person was asked and said today. */
export function Status({ controller }: { controller: WindowController }) {
  const { host, link } = controller.state.value
  return (
    <PageFrame name="status" title="Status">
      <div class="max-w-3xl space-y-7">
        <Today controller={controller} />
        <Part title="Agents">
          {host && host.clients.length > 0 ? (
            <ul class="space-y-1.5" data-agents>
              {host.clients.map(({ name, requester, connections }) => (
                <li key={`${requester} ${name}`} class="flex items-center gap-2">
                  <Drawn text={name === '' ? 'an agent that gave no name' : name} as="prose" />
                  <ProvedName requester={requester} />
                  <span class="text-soft">{connections > 1 ? `${connections} connections` : ''}</span>
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
