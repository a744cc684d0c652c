import type { ErrorBody, Fallback } from '../../contract/tool/errors.ts'
import type { AnyResponse, ListedRun, NextCall, Result } from '../../contract/tool/response.ts'
import { inputWords, waitingWords } from './waiting-words.ts'

/** The answer as a short text: many clients show a model only this. Says the same as the structured answer, never more. */
export function presentText(response: AnyResponse): string {
  const { result, error, compat } = response
  const lines: string[] = []
  // Where the next call is ready to be sent, it is the advice.
  if (error) lines.push(`${error.code}: ${error.message}`, response.next ? '' : adviceBeside(error, response.fallback))
  else lines.push(headline(response))
  if (compat?.warning) lines.push(compat.warning)
  if (result.warning) lines.push(result.warning)
  if (result.host) lines.push(`(${result.host})`)
  lines.push(...body(result))
  if (response.next) lines.push(nextStepHint(response, response.next))
  return lines.filter(line => line !== '').join('\n')
}

/** What to do, without what the message has said already. */
function adviceBeside(
  { code, message }: Pick<ErrorBody, 'code' | 'message'>,
  { user_message = '' }: Partial<Fallback> = {},
): string {
  if (!/nothing ran|did not run/i.test(message)) return user_message
  // It is about what may be running.
  if (code === 'PM_TERM_DISCONNECTED') return ''
  return user_message.replace(/\b(Nothing ran|It did not run)\. ?/, '').trim()
}

function headline({ result, identity, action }: AnyResponse): string {
  const seconds =
    result.execution_time_ms === undefined ? '' : ` after ${(result.execution_time_ms / 1000).toFixed(1)} s`

  switch (result.state) {
    case 'running':
      return `Running (session ${identity.session_id}${identity.terminal_id === null ? '' : `, terminal ${identity.terminal_id}`}).`
    case 'awaiting_approval':
      return `Waiting for a person to decide (session ${identity.session_id}). Nothing has run.`
    case 'received':
      return `Not started yet (session ${identity.session_id}).`

    case 'exited':
      // A terminal that was opened: nothing has run in it, so nothing has ended.
      if (result.exit_code == null && !result.signal && identity.terminal_id !== null)
        return result.execution_time_ms === undefined
          ? `Terminal ${identity.terminal_id}.`
          : `Ended${seconds}, exit code not known.`
      return result.signal ? `Ended by ${result.signal}${seconds}.` : `Exit code ${result.exit_code}${seconds}.`

    case 'killed':
      return `Killed by ${ENDERS[result.ended_by ?? ''] ?? 'somebody'}${seconds}, exit code -1.${left(result)}`
    case 'timed_out':
      return `Killed by kill_after_ms${seconds}, exit code -1.${left(result)}`
    case 'lost':
      return `Lost: its server died, nobody saw how it ended.${left(result)}`

    case 'blocked':
    case 'declined':
    case 'expired':
    case 'failed':
      return 'It did not run.'
    case 'withdrawn':
      return 'Withdrawn before it started. It did not run.'

    case undefined:
      if (action === 'update_allowlist') return 'The allowlist is as asked for.'
      return action === 'list' ? `${result.items?.length ?? 0} runs${approversOf(result)}.` : ''
  }
}

const ENDERS: Readonly<Record<string, string>> = {
  kill: 'a request of its client (kill)',
  cancelled: 'its cancellation',
  person: 'the person at this machine',
  server_end: 'the end of the process that owned it (server_end)',
}

const approversOf = ({ approvers }: Result): string =>
  approvers === undefined ? '' : approvers === 0 ? '; nobody is there to approve' : `; ${approvers} can approve`

const left = ({ survivors }: Result): string => (survivors?.length ? ` Still there: pid ${survivors.join(', ')}.` : '')

function body(result: Result): string[] {
  const lines: string[] = []
  if (result.items) lines.push(...result.items.map(itemLine))
  if (result.omitted_items) lines.push(`(${result.omitted_items} older ones not shown)`)
  for (const { terminal_id, name, cwd, busy_with, is_default } of result.terminals ?? [])
    lines.push(
      `terminal ${terminal_id}${name === undefined ? '' : ` "${oneLine(name)}"`}${is_default ? ' (default)' : ''} in ${cwd}${busy_with === null ? '' : `, busy with ${busy_with}`}`,
    )
  for (const { pattern, source, active, why } of result.patterns ?? [])
    lines.push(`${active ? '+' : '-'} ${pattern}   [${source}] ${why}`)
  for (const { file, problem } of result.broken_files ?? []) lines.push(`! ${file} ${problem}`)
  for (const { offset, line } of result.matches ?? []) lines.push(`@${offset}: ${line}`)
  lines.push(...streams(result))
  lines.push(waitingWords(result), inputWords(result))
  if (result.carried) lines.push(...carriedLines(result.carried))
  if (result.drained === false) lines.push('[a background process still holds the output open]')
  if (result.omitted_bytes) lines.push(`[${result.omitted_bytes} bytes not shown]`)
  if (result.lost_bytes) lines.push(`[${result.lost_bytes} bytes lost to the quota or a full disk]`)
  return lines
}

/** What the next command in the same terminal finds. */
function carriedLines({ cwd, env, left_out, nothing }: NonNullable<Result['carried']>): string[] {
  return [
    ...(cwd === undefined ? [] : [`[the terminal is now in ${cwd}]`]),
    ...(env === undefined ? [] : [`[the terminal keeps ${env.join(', ')}]`]),
    ...(left_out === undefined ? [] : [`[the terminal does not keep ${left_out.join(', ')}]`]),
    ...(nothing === undefined ? [] : [`[directory and variables are not carried over: ${nothing}]`]),
  ]
}

/** stdout and stderr in the order they came. */
function streams({ stdout = '', stderr = '', order }: Result): string[] {
  if (stderr === '') return [trimEnd(stdout)]
  const turns = order ?? [{ stream: 'stderr' as const, chars: stderr.length }]
  const at = { stdout: 0, stderr: 0 }
  const text = { stdout, stderr }
  const lines = turns.map(({ stream, chars }) => {
    const words = trimEnd(text[stream].slice(at[stream], at[stream] + chars))
    at[stream] += chars
    return stream === 'stderr' ? `[stderr] ${words}` : words
  })
  // More turns than are listed: the rest of each, one after the other.
  lines.push(trimEnd(stdout.slice(at.stdout)))
  const rest = trimEnd(stderr.slice(at.stderr))
  return rest === '' ? lines : [...lines, `[stderr] ${rest}`]
}

/** A request that is really taken, by this tool or by the one it names. */
function nextStepHint({ error, status, result }: AnyResponse, next: NextCall): string {
  const call = JSON.stringify(next.arguments)
  if (error) return `A person can decide: ask with ${next.tool} ${call}`
  if (status === 'completed') return `Read them with ${call}`
  return `${result.state === 'awaiting_approval' ? 'Ask how it went with' : 'It lives on. Read on with'} ${call}`
}

const itemLine = (item: ListedRun): string =>
  `${item.session_id}  ${item.state}${item.exit_code === undefined ? '' : ` ${item.exit_code}`}  ${oneLine(item.command)}${
    item.survivors?.length ? `  (still there: pid ${item.survivors.join(', ')})` : ''
  }`

const oneLine = (command: string): string => command.replace(/\s*\n\s*/g, ' ⏎ ')

const trimEnd = (text: string): string => text.replace(/\n$/, '')
