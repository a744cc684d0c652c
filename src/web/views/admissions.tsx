import { KeyRound } from 'lucide'
import { clock } from '../../approving/durations.ts'
import { ADMISSION_ASKED, ADMISSION_CODE } from '../../approving/prompts.ts'
import type { WindowController } from '../controller/window-controller.ts'
import { Drawn } from '../parts/drawn.tsx'
import { Icon } from '../parts/icon.tsx'
import { seconds } from '../parts/waits.tsx'

/** Somebody wants to answer from elsewhere. The code is for the person's eyes: whoever they are, they type it there. */
export function Admissions({ controller }: { controller: WindowController }) {
  const { admissions } = controller.state.value
  return (
    <div class="absolute inset-x-0 bottom-20 z-10 flex flex-col items-center gap-2 px-4">
      {admissions.map(({ admission_id, name, surface, process, code, endsAt }) => (
        <section
          key={admission_id}
          role="alertdialog"
          aria-label="Somebody asks to be admitted"
          class="arrive w-full max-w-md rounded-2xl border border-line bg-panel p-5 shadow-xl"
          data-admission={admission_id}
        >
          <h2 class="mb-1 flex items-center gap-2 font-semibold">
            <Icon of={KeyRound} /> Admit another approver?
          </h2>
          <p>
            <Drawn text={name} /> ({surface}
            {process && (
              <>
                , <Drawn text={process.program} />, process {process.pid}
              </>
            )}
            ) {ADMISSION_ASKED}. {ADMISSION_CODE}
          </p>
          <p class="my-3 text-center font-mono text-[28px] tracking-wide tabular-nums" data-code>
            {code}
          </p>
          <p class="flex items-center justify-between gap-3">
            <span class="text-[13px] text-soft tabular-nums">for {clock(endsAt - seconds.value)}</span>
            <button
              type="button"
              class="button"
              onClick={() => controller.send({ type: 'refuse_admission', admission_id })}
            >
              Not me: cut it off
            </button>
          </p>
        </section>
      ))}
    </div>
  )
}
