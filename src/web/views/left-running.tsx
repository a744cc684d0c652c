import { leftBecause, leftRunningTitle } from '../../approving/left-running.ts'
import type { WindowController } from '../controller/window-controller.ts'
import { Drawn } from '../parts/drawn.tsx'

/** What an interrupted agent left running: a person let it run, so only a person ends it. */
export function LeftRunning({ controller }: { controller: WindowController }) {
  const { left } = controller.state.value
  return (
    <section class="max-h-48 shrink-0 overflow-y-auto border-t border-line px-4 py-2 text-[13px]" data-left-running>
      <h3 class="mb-1 text-[13px] font-medium">
        <Drawn text={leftRunningTitle(left)} />
      </h3>
      <ul class="space-y-1">
        {left.map(run => (
          <li key={`${run.requester} ${run.run_id}`} class="flex items-center gap-2" data-left={run.run_id}>
            <button
              type="button"
              class="min-w-0 grow truncate text-left font-mono text-[12px]"
              title={leftBecause(run)}
              onClick={() => run.terminal_id && controller.show({ view: 'terminal', terminalId: run.terminal_id })}
            >
              <Drawn text={run.command} />
            </button>
            <button
              type="button"
              class="ghost shrink-0"
              aria-label={`End ${run.command}`}
              onClick={() => controller.send({ type: 'end_run', requester: run.requester, run_id: run.run_id })}
            >
              End it
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
