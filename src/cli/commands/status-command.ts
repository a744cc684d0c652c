import { toType } from '../../base/own-command.ts'
import type { StatusAnswered } from '../../contract/wire/host-status.ts'
import type { FoundHost } from '../reach/found-host.ts'

export interface CommandAnswer {
  readonly code: number
  readonly text: string
}

/** As `systemctl status` has it for what does not run. */
const NOT_RUNNING = 3

/** `interactive-terminal status`: whether a host runs, and what it is doing. */
export function statusCommand(
  found: FoundHost,
  how: { readonly json: boolean; readonly container: boolean },
): CommandAnswer {
  const code = found.at === 'up' ? 0 : NOT_RUNNING
  if (how.json) return { code, text: JSON.stringify(statusAsJson(found, how.container), null, 2) }
  switch (found.at) {
    case 'none':
      return { code, text: `${none()}${found.left === null ? '' : `\n${leftBehind(found.left)}`}` }
    case 'unreadable':
      return { code, text: found.runs ? found.why : `${none()}\n${found.why}` }
    case 'silent':
      return { code, text: silentText(found) }
    case 'up':
      return { code, text: statusText(found.status, how.container) }
  }
}

const none = (): string =>
  `No host runs. An agent's first command starts one; "${toType()}" starts it here, with its window.`
const leftBehind = (file: string): string =>
  `${file} was left by one that did not end in order; the next start replaces it.`

export const silentText = ({ pid, port, why }: Extract<FoundHost, { at: 'silent' }>): string =>
  `The host (pid ${pid}) lives but does not answer on 127.0.0.1:${port}: ${why}\n"${toType('stop --force')}" ends that process; host.log in the state directory says what it did last.`

function statusAsJson(found: FoundHost, container: boolean): Record<string, unknown> {
  if (found.at === 'none') return { host: 'not_running', container }
  if (found.at === 'unreadable')
    return { host: found.runs ? 'not_reachable' : 'not_running', container, problem: found.why }
  if (found.at === 'silent') return { host: 'not_answering', container, pid: found.pid, problem: found.why }
  const { type: _type, id: _id, request_id: _request, trace_id: _trace, ...status } = found.status
  return { host: 'running', container, ...status }
}

function statusText(status: StatusAnswered, container: boolean): string {
  const { pid, version, port, approver_port, windows, approvers, agents, running, waiting, pty_host } = status
  const rows = [
    ['Host', `runs, pid ${pid}, version ${version}${container ? ', in a container' : ''}`],
    ['Ports', `agents 127.0.0.1:${port}, approvers and window 127.0.0.1:${approver_port}`],
    ['Window', windows === 0 ? `none open; "${toType('open')}" shows it` : `${windows} open`],
    ['Approvers', approvers.length === 0 ? 'nobody' : approvers.map(plain).join(', ')],
    ['Agents', agents.length === 0 ? 'none connected' : agents.map(agentText).join(', ')],
    ['Running', running.length === 0 ? 'nothing' : `${running.length}`],
    ...running.map(run => ['', runText(run)]),
    ['Waiting', waiting === 0 ? 'no questions' : `${waiting} question${waiting === 1 ? '' : 's'} for you`],
    ['Terminals', `pty-host ${pty_host.health}: ${plain(pty_host.detail)}`],
  ]
  return rows.map(([name = '', text = '']) => `${name.padEnd(11)}${text}`).join('\n')
}

const agentText = ({ name, requester, connections }: StatusAnswered['agents'][number]): string =>
  `${plain(name)}${requester === 'local' ? '' : ` (${plain(requester)})`}${connections > 1 ? ` ×${connections}` : ''}`

export const runText = ({ command, session_id }: StatusAnswered['running'][number]): string =>
  `${shortened(plain(command))}  [${session_id}]`

/** What an agent wrote, on one line and without anything a terminal would obey. */
const plain = (text: string): string =>
  text.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]+/g, ' ')

const LONGEST = 100
const shortened = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text)
