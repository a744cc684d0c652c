import { useEffect, useState } from 'preact/hooks'
import type { RulesShown } from '../../contract/window/rules-frames.ts'
import type { WindowController } from '../controller/window-controller.ts'

/** Files change without anybody saying so: they are looked at again as long as the page is shown. */
const AGAIN_MS = 1000

/** The rules as they count now, looked at again when something was changed here. */
export function useRules(controller: WindowController) {
  const [rules, setRules] = useState<RulesShown | null>(null)
  const { link } = controller.state.value
  const look = async (): Promise<void> => {
    const now = await controller.query({ type: 'rules_show' }, 'rules_shown')
    // The same again is drawn by nobody.
    if (now) setRules(before => (before && isSame(before, now) ? before : now))
  }
  useEffect(() => {
    if (link.at !== 'open') return undefined
    void look()
    const timer = setInterval(() => controller.isVisible && void look(), AGAIN_MS)
    return () => clearInterval(timer)
  }, [controller, link.at])
  return { rules, look }
}

const isSame = (one: RulesShown, other: RulesShown): boolean =>
  JSON.stringify({ ...one, request_id: '' }) === JSON.stringify({ ...other, request_id: '' })
