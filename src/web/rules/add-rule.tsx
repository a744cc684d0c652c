import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { RuleFile, RuleTried } from '../../contract/window/rules-frames.ts'
import type { WindowController } from '../controller/window-controller.ts'
import { ruleReach } from '../drawing/rule-reach.ts'
import { Drawn } from '../parts/drawn.tsx'
import { Replay } from './replay.tsx'
import { sendable } from './sendable.ts'

const TRY_AFTER_MS = 200

/** A pattern on its way to become a rule: the host says what it would mean while it is typed, and before it can be saved. */
export function AddRule(props: {
  readonly controller: WindowController
  readonly place: { readonly workspace_id: string; readonly layer: RuleFile['layer'] }
  readonly first: string
  readonly changed: () => Promise<void>
  readonly onClose: () => void
}) {
  const { controller, place, changed, onClose } = props
  const [pattern, setPattern] = useState(props.first)
  const tried = useTried(controller, place, pattern)
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => field.current?.focus(), [])
  const canSave = tried !== null && tried.problem === null
  const save = async (): Promise<void> => {
    const reply = await controller.ask({
      type: 'rules_change',
      ...place,
      added: [sendable(pattern).trim()],
      removed: [],
    })
    if (reply?.type !== 'done') return
    await changed()
    onClose()
  }
  return (
    <form
      class="mt-1 space-y-2 rounded-lg border border-rim p-3"
      data-adding
      onSubmit={event => {
        event.preventDefault()
        if (canSave) void save()
      }}
    >
      <label class="block">
        <span class="label mb-1 block">
          A rule is a list of words; a final <code>*</code> allows any further arguments
        </span>
        <input
          ref={field}
          class="field font-mono text-[13px]"
          spellcheck={false}
          placeholder="npm run build *"
          maxLength={4096}
          value={pattern}
          data-new-pattern
          onInput={({ currentTarget }) => setPattern(currentTarget.value)}
        />
      </label>
      {pattern.trim() !== '' && <p class="text-[13px] text-soft">{ruleReach(pattern)}</p>}
      {tried && <Tried tried={tried} />}
      <div class="flex justify-end gap-2">
        <button type="button" class="button button-small" onClick={onClose}>
          Cancel
        </button>
        <button type="submit" class="button button-small button-main" aria-disabled={!canSave} data-save-rule>
          {tried?.wide ? 'Save this wide rule' : 'Save'}
        </button>
      </div>
    </form>
  )
}

/** What speaks against it, or what the person should know first. */
const Tried = ({ tried: { problem, wide, replay } }: { tried: RuleTried }) => (
  <>
    {problem !== null && (
      <p class="text-[13px] text-grave" role="alert" data-rule-problem>
        <Drawn text={problem} as="prose" />
      </p>
    )}
    {wide !== null && problem === null && (
      <p class="text-[13px] text-open" data-rule-wide>
        This is wide: <Drawn text={wide} as="prose" />.
      </p>
    )}
    {replay && <Replay replay={replay} />}
  </>
)

/** What the host says of exactly this pattern; null: nothing yet, so it cannot be saved. */
function useTried(
  controller: WindowController,
  place: { readonly workspace_id: string; readonly layer: RuleFile['layer'] },
  text: string,
): RuleTried | null {
  const [tried, setTried] = useState<RuleTried | null>(null)
  const pattern = sendable(text).trim()
  const { workspace_id, layer } = place
  useEffect(() => {
    if (pattern === '') return undefined
    const ask = () =>
      void controller.query({ type: 'rule_try', workspace_id, layer, pattern }, 'rule_tried').then(setTried)
    const timer = setTimeout(ask, TRY_AFTER_MS)
    return () => clearTimeout(timer)
  }, [controller, workspace_id, layer, pattern])
  return tried?.pattern === pattern ? tried : null
}
