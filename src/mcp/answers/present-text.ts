import type { ErrorBody, Fallback } from '../../contract/tool/errors.ts'
import type { AnyResponse, Human, NextCall, Result } from '../../contract/tool/response.ts'
import type { ListedPattern, ListedRun } from '../../contract/tool/run-lists.ts'
import { presentOutput } from './present-output.ts'
import { inputWords, waitingWords } from './waiting-words.ts'

/** How a text names a run or a terminal. */
export interface IdNames {
  of(id: string): string
  call(next: NextCall): NextCall
}

const AS_THEY_ARE: IdNames = { of: id => id, call: next => next }

/** The answer as a short text: many clients show a model only this. Says the same as the structured answer, never more. */
export function presentText(whole: AnyResponse, ids: IdNames = AS_THEY_ARE): string {
  const response = withShortIds(whole, ids)
  const { result, error, compat, next } = response
  const lines: string[] = []
  // Where the next call is ready to be sent, it is the advice.
  if (error) lines.push(`${error.code}: ${error.message}`, next ? '' : adviceBeside(error, response.fallback))
  lines.push([error ? '' : headline(response), whichRun(response)].filter(part => part !== '').join(' '))
  if (compat?.warning) lines.push(compat.warning)
  if (result.warning) lines.push(result.warning)
  if (result.host) lines.push(`(${result.host})`)
  lines.push(...aboutWaiting(result))
  // Said at both ends: clients cut long answers again, and a cut that is not told is a lie.
  if (next && result.omitted_bytes && hasOutput(result)) lines.push(leftOut(response, next))
  lines.push(...lists(result), ...presentOutput(result), ...aboutOutput(result))
  if (next) lines.push(nextStepHint(response, next))
  return lines.filter(line => line !== '').join('\n')
}

function withShortIds(response: AnyResponse, ids: IdNames): AnyResponse {
  const { identity, result, next } = response
  const named = <Run extends { session_id: string }>(run: Run): Run => ({ ...run, session_id: ids.of(run.session_id) })
  const orNull = (id: string | null) => (id === null ? null : ids.of(id))
  return {
    ...response,
    identity: { session_id: orNull(identity.session_id), terminal_id: orNull(identity.terminal_id) },
    result: {
      ...result,
      ...(result.items && { items: result.items.map(named) }),
      ...(result.others && { others: result.others.map(named) }),
      ...(result.rerun && { rerun: { ...result.rerun, of: ids.of(result.rerun.of) } }),
      ...(result.terminals && {
        terminals: result.terminals.map(each => ({
          ...each,
          terminal_id: ids.of(each.terminal_id),
          busy_with: orNull(each.busy_with),
        })),
      }),
    },
    ...(next && { next: ids.call(next) }),
  }
}

/** The run, its terminal and its directory by their names: what a further call needs. */
function whichRun({ identity, result, error }: AnyResponse): string {
  const { session_id, terminal_id } = identity
  if (session_id === null) return ''
  const terminal = terminal_id === null ? '' : `, terminal ${terminal_id}`
  // An error that speaks of the directory has named it.
  const isNamed = result.cwd === undefined || error?.message.includes(result.cwd) === true
  const directory = isNamed ? '' : ` in ${result.cwd}`
  return error && result.state === undefined
    ? `(session ${session_id})`
    : `(session ${session_id}${terminal}${directory})`
}

const hasOutput = ({ stdout, stderr, base64 }: Result): boolean => Boolean(stdout || stderr || base64)

function leftOut({ result }: AnyResponse, next: NextCall): string {
  const from = { cursor: result.omitted_from }
  const { output, cursor: _, wait: __, ...call } = next.arguments
  const whole = output === undefined ? { ...call, ...from } : { ...call, output: from }
  return `[${result.omitted_bytes} bytes left out from offset ${result.omitted_from}; read them with ${JSON.stringify(whole)}]`
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
      return 'Running.'
    case 'awaiting_approval':
      return 'Waiting for a person to decide. Nothing has run.'
    case 'received':
      return 'Not started yet.'

    case 'exited':
      // A terminal that was opened: nothing has run in it, so nothing has ended.
      if (result.exit_code == null && !result.signal && identity.terminal_id !== null)
        return result.execution_time_ms === undefined
          ? `Terminal ${identity.terminal_id}.`
          : `Ended${seconds}, exit code not known.`
      if (result.signal) return `Ended by ${result.signal}${seconds}.`
      return `Exit code ${result.exit_code}${seconds}${meaningOf(result)}.${isSilent(result) ? ' No output.' : ''}`

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
      return action === 'list' ? `${result.items?.length ?? 0} runs${inDirectory(result)}${approversOf(result)}.` : ''
  }
}

const ENDERS: Readonly<Record<string, string>> = {
  kill: 'a request of its client (kill)',
  cancelled: 'its cancellation',
  person: 'the person at this machine',
  server_end: 'the end of the process that owned it (server_end)',
}

function meaningOf({ exit_meaning, pipestatus }: Result): string {
  if (pipestatus) return `, but a part of the pipeline failed: ${pipestatus.join(', ')}`
  return exit_meaning === undefined ? '' : `: ${exit_meaning}`
}

const isSilent = ({ stdout, stderr, cursor }: Result): boolean => stdout === '' && !stderr && cursor === 0

const inDirectory = ({ cwd }: Result): string => (cwd === undefined ? '' : ` in ${cwd} where no other is named`)

const approversOf = ({ approvers }: Result): string =>
  approvers === undefined ? '' : approvers === 0 ? '; nobody is there to approve' : `; ${approvers} can approve`

const left = ({ survivors }: Result): string => (survivors?.length ? ` Still there: pid ${survivors.join(', ')}.` : '')

/** What ended the wait, what became of the others, and whether somebody is there to be asked. */
function aboutWaiting({ waited, woke, others = [], human }: Result): string[] {
  const line = woke?.line === undefined ? '' : ` at offset ${woke.offset}: ${oneLine(woke.line)}`
  return [
    waited === undefined ? '' : `[waited until: ${waited}${line}]`,
    woke?.note ?? '',
    ...others.map(
      ({ session_id, state, exit_code, output_bytes = 0 }) =>
        `[other run ${session_id}: ${state}${exit_code === undefined ? '' : ` ${exit_code}`}, ${output_bytes} bytes]`,
    ),
    human === undefined ? '' : `[${humanIs(human)}]`,
  ]
}

function humanIs({ present, last_input_s }: Human): string {
  const there = present ? 'a person can be asked' : 'nobody is there to be asked'
  return last_input_s === undefined ? there : `${there}, last input ${last_input_s} s ago`
}

function lists(result: Result): string[] {
  const lines: string[] = []
  if (result.items) lines.push(...result.items.map(itemLine))
  if (result.omitted_items) lines.push(`(${result.omitted_items} older ones not shown)`)
  for (const { terminal_id, name, cwd, busy_with, is_default } of result.terminals ?? [])
    lines.push(
      `terminal ${terminal_id}${name === undefined ? '' : ` "${oneLine(name)}"`}${is_default ? ' (default)' : ''} in ${cwd}${busy_with === null ? '' : `, busy with ${busy_with}`}`,
    )
  if (result.workspace) lines.push(workspaceLine(result.workspace))
  lines.push(...(result.patterns ?? []).map(patternLine))
  for (const { file, problem } of result.broken_files ?? []) lines.push(`! ${file} ${problem}`)
  return lines
}

function patternLine({ pattern, source, active, why, also = [], more }: ListedPattern): string {
  const names = [pattern, ...also].join(' · ')
  return `${active ? '+' : '-'} ${names}${more === undefined ? '' : ` and ${more} more`}   [${source}] ${why}`
}

function workspaceLine({ workspace_id, directory, trusted }: NonNullable<Result['workspace']>): string {
  if (workspace_id === null) return 'This directory belongs to no workspace.'
  return `Workspace ${workspace_id} in ${directory}, ${trusted ? 'trusted' : 'not trusted'}.`
}

function aboutOutput(result: Result): string[] {
  const lines: string[] = [sandboxWords(result), waitingWords(result), inputWords(result), rerunWords(result)]
  if (result.carried) lines.push(...carriedLines(result.carried))
  if (result.drained === false) lines.push('[a background process still holds the output open]')
  if (result.omitted_bytes) lines.push(`[${result.omitted_bytes} bytes not shown]`)
  if (result.redacted) lines.push(`[${result.redacted} redacted; the person sees all]`)
  if (result.lost_bytes) lines.push(`[${result.lost_bytes} bytes lost to the quota or a full disk]`)
  return lines
}

function sandboxWords({ sandbox, state }: Result): string {
  if (!sandbox) return ''
  if (sandbox.wanted === undefined) return '[sandbox: no network, home hidden; nothing was changed]'
  const { what, line } = sandbox.wanted
  const asks = state === 'awaiting_approval' ? 'the person is asked' : 'it was not run for real'
  return `[sandbox: it failed for want of ${what}${line === '' ? '' : ` ("${oneLine(line)}")`}; ${asks}]`
}

function rerunWords({ rerun }: Result): string {
  if (!rerun) return ''
  const { of, added, removed, exit_code_before, only_changes } = rerun
  const exit = exit_code_before === undefined ? '' : `; its exit code was ${exit_code_before ?? 'none'}`
  if (added + removed === 0) return `[the same output as ${of}${exit}]`
  return `[${only_changes ? 'only what changed' : 'changed'} since ${of}: ${added} lines added, ${removed} removed${exit}]`
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

/** A request that is really taken, by this tool or by the one it names. */
function nextStepHint({ error, status, result }: AnyResponse, next: NextCall): string {
  const call = JSON.stringify(next.arguments)
  if (error?.code === 'PM_TERM_APPROVAL_REQUIRED') return `A person can decide: ask with ${next.tool} ${call}`
  if (error) return `${/nothing ran/i.test(error.message) ? '' : 'Nothing ran. '}Send ${next.tool} with ${call}`
  if (result.matches && result.omitted_bytes) return `Search on with ${call}`
  if (result.rerun?.only_changes) return `The whole output: ${call}`
  if (status === 'completed') return `Read them with ${call}`
  return `${result.state === 'awaiting_approval' ? 'Ask how it went with' : 'It lives on. Read on with'} ${call}`
}

const itemLine = (item: ListedRun): string =>
  `${item.session_id}  ${item.state}${item.exit_code === undefined ? '' : ` ${item.exit_code}`}  ${oneLine(item.command)}${
    item.cwd === undefined ? '' : `  in ${item.cwd}`
  }${item.survivors?.length ? `  (still there: pid ${item.survivors.join(', ')})` : ''}`

const oneLine = (command: string): string => command.replace(/\s*\n\s*/g, ' ⏎ ')
