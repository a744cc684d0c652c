import { describe, expect, test } from 'vitest'
import { canonicalise } from './canonicalise.ts'
import { TermError } from './errors.ts'
import { parseHeadless } from './headless-request.ts'

/** What a model that sees only the text reads about its mistake. */
function said(parse: () => unknown): string {
  try {
    parse()
  } catch (cause) {
    if (cause instanceof TermError) return cause.message
    throw cause
  }
  return 'nothing'
}
const interactive = (payload: unknown) => said(() => canonicalise(payload, 'accept'))
const headless = (payload: unknown) => said(() => parseHeadless(payload))

const EXECUTE = {
  action: 'execute',
  invocation: { mode: 'interactive', intent: 'execute_command' },
  execution: { command: 'ls' },
}

test('every problem of a payload stands in the text', () => {
  expect(interactive({ action: 'execute', mode: 'interactive', intent: 'execute_command', cmd: 'ls' })).toBe(
    'mode is not a field of this request; did you mean invocation.mode?; intent is not a field of this request; did you mean invocation.intent?; cmd is not a field of this request; did you mean execution.command?; invocation.mode is required for execute: "interactive" or "headless"; invocation.intent is required for execute: "execute_command" or "open_only".',
  )
})

describe('a field that is not one is told where it belongs', () => {
  test.each([
    [{ context: 'why' }, 'context', 'execution.context'],
    [{ cursor: 3 }, 'cursor', 'output.cursor'],
    [{ wait_for: 'exit' }, 'wait_for', 'output.wait_for'],
    [{ wait: 3 }, 'wait', 'output.wait'],
    [{ description: 'why' }, 'description', 'execution.context'],
    [{ kill_after_ms: 3 }, 'kill_after_ms', 'runtime.kill_after_ms'],
    [{ runtime: { command: 'ls' } }, 'runtime.command', 'execution.command'],
    [{ execution: { command: 'ls', workdir: '/' } }, 'execution.workdir', 'runtime.cwd'],
    [{ runtime: { timout_ms: 3 } }, 'runtime.timout_ms', 'runtime.timeout_ms'],
  ])('%j', (more, field, meant) => {
    expect(interactive({ ...EXECUTE, ...more })).toBe(`${field} is not a field of this request; did you mean ${meant}?`)
  })

  test.each([
    [{ cmd: 'ls' }, 'cmd', 'command'],
    [{ command: 'ls', workdir: '/' }, 'workdir', 'cwd'],
    [{ command: 'ls', comand: 'ls' }, 'comand', 'command'],
  ])('%j', (more, field, meant) => {
    expect(headless({ action: 'run', ...more })).toContain(
      `${field} is not a field of this request; did you mean ${meant}?`,
    )
  })

  test('what nobody could have meant gets no guess', () => {
    expect(headless({ action: 'run', command: 'ls', zzzzzzzz: 1 })).toBe('zzzzzzzz is not a field of this request.')
  })

  test('the background is a matter of waiting', () => {
    expect(headless({ action: 'run', command: 'ls', run_in_background: true })).toContain(
      'with timeout_ms 0 the call returns at once',
    )
  })
})

describe('an action', () => {
  test.each([
    ['that is missing', {}, 'action is missing.'],
    [
      'that is wrapped',
      { arguments: { action: 'run' } },
      'action is missing: send the fields inside "arguments" themselves.',
    ],
    ['that is no text', { action: 7 }, 'action must be a string.'],
    ['nobody knows', { action: 'exec' }, 'action "exec" is unknown.'],
  ])('%s is told as that, by both tools', (_, payload, words) => {
    expect(interactive(payload)).toBe(`${words} Use execute, read_output, terminate, list.`)
    expect(headless(payload)).toBe(`${words} Use run, read_output, kill, list, get_allowlist, update_allowlist.`)
  })
})

test('a payload of the editor is told which tool takes it, and that only the extension has that', () => {
  for (const told of [interactive, headless].map(each => each({ action: 'create', name: 'build' })))
    expect(told).toBe(
      'payload belongs to memory_terminal_vscode, which the VS Code extension has. Call memory_terminal_vscode where it is offered; else leave name out.',
    )
})
