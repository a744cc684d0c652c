import { useEffect, useState } from 'preact/hooks'
import type { RulesShown } from '../../contract/window/rules-frames.ts'
import type { WindowController } from '../controller/window-controller.ts'

/** Files change without anybody saying so: they are looked at when the person comes back to the page, and now and then while it is shown. */
const AGAIN_MS = 5000

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
    const lookIfShown = () => void (controller.isVisible && look())
    const timer = setInterval(lookIfShown, AGAIN_MS)
    window.addEventListener('focus', lookIfShown)
    document.addEventListener('visibilitychange', lookIfShown)
    return () => {
      clearInterval(timer)
      window.removeEventListener('focus', lookIfShown)
      document.removeEventListener('visibilitychange', lookIfShown)
    }
  }, [controller, link.at])
  return { rules, look }
}

const isSame = (one: RulesShown, other: RulesShown): boolean =>
  JSON.stringify({ ...one, request_id: '' }) === JSON.stringify({ ...other, request_id: '' })
