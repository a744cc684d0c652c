import { useState } from 'preact/hooks'
import type { DefaultRulesShown } from '../../contract/window/rules-frames.ts'
import type { WindowController } from '../controller/window-controller.ts'
import { Part } from './part.tsx'
import { DEFAULTS_WORDS } from './rule-words.ts'

type DefaultReach = DefaultRulesShown['rules'][number]['reach']
const REACHES = Object.keys(DEFAULTS_WORDS) as DefaultReach[]

/** What runs without asking out of the box, by where it holds. Nothing here can be changed. */
export function DefaultRules({ controller }: { controller: WindowController }) {
  const [shown, setShown] = useState<DefaultRulesShown | null>(null)
  const load = (): void => {
    if (!shown) void controller.query({ type: 'default_rules_show' }, 'default_rules_shown').then(setShown)
  }
  return (
    <Part
      title="Default rules"
      note="They come with the product and cannot be changed here. PM_TERM_AUTO_APPROVE=never switches them off."
    >
      <details data-defaults onToggle={load}>
        <summary class="cursor-pointer text-[13px] text-accent">Show the default rules</summary>
        <div class="mt-2 space-y-2">
          {shown && REACHES.map(reach => <Group key={reach} rules={shown.rules} reach={reach} />)}
        </div>
      </details>
    </Part>
  )
}

function Group({ rules, reach }: { rules: DefaultRulesShown['rules']; reach: DefaultReach }) {
  const own = rules.filter(rule => rule.reach === reach)
  return (
    <details class="rounded-lg border border-line px-3 py-2" data-reach={reach}>
      <summary class="cursor-pointer text-[13px]">
        {DEFAULTS_WORDS[reach]} <span class="text-soft tabular-nums">({own.length})</span>
      </summary>
      <ul class="mt-1.5">
        {own.map(({ pattern, why }) => (
          <li key={pattern} class="flex flex-wrap gap-x-3 py-0.5 text-[12.5px]">
            <code class="min-w-[14rem] font-mono">{pattern}</code>
            <span class="text-soft">{why}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}
