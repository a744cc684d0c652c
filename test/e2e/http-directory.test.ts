import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OpenedHttp, openHttp } from '../drivers/mcp-client.ts'

/** One server, many clients: where a command runs is what the request or its client says, never where the server was started. */
let server: OpenedHttp
beforeAll(async () => {
  server = await openHttp({ roots: null })
  mkdirSync(join(server.work, 'sub'))
})
afterAll(() => server.close())

describe.each(['legacy', 'auto'] as const)('a client of the %s generation over HTTP', mode => {
  test('that says neither a directory nor a root is told so, in both lanes, and nothing runs', async () => {
    const { call } = await server.connect(mode, undefined, null)
    const mark = server.place.shell(`echo ran >> ${server.work}/mark`)
    const asked = [
      await call('memory_terminal', { action: 'run', ...mark }),
      await call('memory_terminal', { action: 'run', ...mark, cwd: 'sub' }),
      await call('memory_terminal', { action: 'get_allowlist' }),
      await call('memory_terminal_interactive', {
        action: 'execute',
        invocation: { mode: 'interactive', intent: 'execute_command' },
        execution: { command: 'true' },
      }),
    ]
    for (const { data, text } of asked) {
      expect(data.error).toMatchObject({ code: 'PM_TERM_INVALID_PAYLOAD' })
      expect(text).toContain('cwd must be the absolute path of a directory')
      expect(JSON.stringify(data) + text).not.toContain(server.work)
    }
    expect(server.place.read('work/mark')).toBe('')
  })

  test('runs where its request says', async () => {
    const { call } = await server.connect(mode, undefined, null)
    const { data } = await call('memory_terminal', { action: 'run', command: 'pwd', cwd: join(server.work, 'sub') })
    expect(data.result.stdout).toBe(`${server.work}/sub\n`)
  })

  test('runs in its own root, and a relative directory is seen from there', async () => {
    const mine = join(server.place.home, `project-${mode}`)
    mkdirSync(join(mine, 'deep'), { recursive: true })
    const { call } = await server.connect(mode, undefined, [mine])
    const here = await call('memory_terminal', { action: 'run', command: 'pwd' })
    expect(here.data.result.stdout).toBe(`${mine}\n`)
    const deep = await call('memory_terminal', { action: 'run', command: 'pwd', cwd: 'deep' })
    expect(deep.data.result.stdout).toBe(`${mine}/deep\n`)
  })

  test('that names two roots has to say which', async () => {
    const two = [server.work, join(server.work, 'sub')]
    const { call } = await server.connect(mode, undefined, two)
    const { data } = await call('memory_terminal', { action: 'run', command: 'pwd' })
    expect(data.error?.message).toBe(
      `cwd must be the absolute path of a directory: the client names more than one root: ${two.join(', ')}.`,
    )
  })

  test('whose root is of another machine is told so', async () => {
    const { call } = await server.connect(mode, undefined, ['/somewhere/else'])
    const { data } = await call('memory_terminal', { action: 'run', command: 'pwd' })
    expect(data.error?.message).toContain("the client's root /somewhere/else is not a directory on this machine")
  })
})
