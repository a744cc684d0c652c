import type { FoundHost } from '../reach/found-host.ts'
import { type CommandAnswer, runText, silentText } from './status-command.ts'

export interface StopDeps {
  readonly found: FoundHost
  readonly force: boolean
  readonly json: boolean
  /** Asks the person at this terminal; false unless they say yes. */
  readonly confirm: (text: string) => Promise<boolean>
  /** Asks that one process to end in order, and resolves with whether it is gone. */
  readonly end: (pid: number) => Promise<boolean>
}

/** `interactive-terminal stop`: the host ends in order, and with it everything it started. */
export async function stopCommand({ found, force, json, confirm, end }: StopDeps): Promise<CommandAnswer> {
  const answer = (code: number, text: string, more: Record<string, unknown> = {}): CommandAnswer => ({
    code,
    text: json ? JSON.stringify({ stopped: code === 0, message: text, ...more }, null, 2) : text,
  })
  if (found.at === 'none') return answer(0, 'No host runs.')
  if (found.at === 'unreadable')
    return answer(found.runs ? 1 : 0, found.runs ? found.why : `No host runs. ${found.why}`)
  if (found.at === 'silent' && !force) return answer(1, silentText(found), { pid: found.pid })

  // What would end with it is named first.
  const { pid, running } = found.at === 'up' ? found.status : { pid: found.pid, running: [] }
  if (running.length > 0 && !force) {
    const list = running.map(run => `  ${runText(run)}`).join('\n')
    const going = `${running.length === 1 ? 'This is' : 'These are'} still running and would end with the host:\n${list}`
    if (json) return answer(1, `${going}\nNothing was ended. --force ends them.`, { running })
    if (!(await confirm(`${going}\nEnd the host and everything above? [y/N] `))) return answer(1, 'Nothing was ended.')
  }
  return (await end(pid))
    ? answer(0, `The host (pid ${pid}) has ended, and everything it started with it.`, { pid })
    : answer(1, `The host (pid ${pid}) was asked to end and is still there. Its host.log says what it waits for.`, {
        pid,
      })
}
