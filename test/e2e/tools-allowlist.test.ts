import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Opened, openStdio } from '../drivers/mcp-client.ts'
import { Place, PRODUCT } from '../drivers/place.ts'

let server: Opened
beforeAll(async () => {
  server = await openStdio({ allow: ['/bin/echo *'] })
  server.place.alone()
})
afterAll(() => server.close())

const patterns = async (where: Record<string, unknown> = {}) =>
  (await server.headless({ action: 'get_allowlist', ...where })).data.result.patterns ?? []
const find = async (pattern: string, where?: Record<string, unknown>) =>
  (await patterns(where)).filter(each => each.pattern === pattern).map(({ source, active }) => ({ source, active }))

test('each pattern says where it comes from and whether it applies here', async () => {
  expect(await find('/bin/echo *')).toEqual([{ source: 'terminal-allowlist.json', active: true }])
  expect(await find('pwd')).toEqual([{ source: 'default', active: true }])
  expect(await find('ls *')).toEqual([{ source: 'default', active: true }])
  expect(await find('npm test *')).toEqual([{ source: 'default', active: false }])
})

test('outside the workspace its rules do not apply, and neither do defaults that need one', async () => {
  expect(await find('/bin/echo *', { cwd: '/', workspace_id: 'test' })).toEqual([])
  expect(await find('ls *', { cwd: '/' })).toEqual([{ source: 'default', active: false }])
})

test('what is said to apply is what runs', async () => {
  for (const [command, pattern] of [
    ['/bin/echo hi', '/bin/echo *'],
    ['pwd', 'pwd'],
    ['npm test', 'npm test *'],
  ] as const) {
    const [rule] = await find(pattern)
    const { data } = await server.headless({ action: 'run', command })
    expect({ command, ran: data.success }).toEqual({ command, ran: rule?.active })
  }
})

test('an agent cannot widen the rules: not by asking, not by naming our files, not by our own program', async () => {
  const before = await patterns()
  const file = join(server.home, 'data', 'test', 'terminal-allowlist.json')
  const attempts = [
    { action: 'update_allowlist', operation: 'add', patterns: ['npm run build'] },
    { action: 'update_allowlist', operation: 'set', patterns: ['rm *'] },
    { action: 'update_allowlist', operation: 'remove', patterns: ['/bin/echo *'] },
    { action: 'run', command: `${PRODUCT} policy add "rm *"` },
    { action: 'run', command: '/bin/echo', args: [file] },
  ]
  const codes = []
  for (const attempt of attempts) codes.push((await server.headless(attempt)).data.error?.code)
  expect(codes).toEqual([
    'PM_TERM_GUI_UNAVAILABLE',
    'PM_TERM_INVALID_PAYLOAD',
    'PM_TERM_GUI_UNAVAILABLE',
    'PM_TERM_APPROVAL_REQUIRED',
    'PM_TERM_APPROVAL_REQUIRED',
  ])
  expect(await patterns()).toEqual(before)
  expect(JSON.parse(server.place.read('home/data/test/terminal-allowlist.json')).patterns).toEqual(['/bin/echo *'])
})

test('a pattern written into the file by anybody else waits for a person', async () => {
  const place = new Place({ allow: ['/bin/echo *'] })
  const other = await openStdio({ place })
  try {
    const updated_at = new Date().toISOString()
    place.write('home/data/test/terminal-allowlist.json', JSON.stringify({ patterns: ['/bin/cat *'], updated_at }))
    const { data } = await other.headless({ action: 'get_allowlist' })
    const told = (data.result.patterns ?? []).filter(({ source }) => source !== 'default')
    expect(told.map(({ pattern, active }) => ({ pattern, active }))).toEqual([{ pattern: '/bin/cat *', active: false }])
    // The removal counts at once, the addition does not.
    for (const command of ['/bin/echo hi', '/bin/cat /etc/hostname'])
      expect((await other.headless({ action: 'run', command })).data.error?.code).toBe('PM_TERM_APPROVAL_REQUIRED')
  } finally {
    await other.close()
    place.remove()
  }
})

test('a broken rule file means no rules of yours, and it is said', async () => {
  const place = new Place({ allow: ['/bin/echo *'] })
  const file = place.write('home/data/test/terminal-allowlist.json', '{"patterns": ["/bin/echo *"')
  const other = await openStdio({ place })
  try {
    const { data, text } = await other.headless({ action: 'get_allowlist' })
    expect(data.result.broken_files).toEqual([{ file, problem: 'is not JSON' }])
    expect(text).toContain(`! ${file} is not JSON`)
    // The defaults do not count either: the file may have held a narrower rule.
    expect(data.result.patterns?.filter(({ active }) => active)).toEqual([])
    expect((await other.headless({ action: 'run', command: '/bin/echo hi' })).data.error?.code).toBe(
      'PM_TERM_APPROVAL_REQUIRED',
    )
  } finally {
    await other.close()
    place.remove()
  }
})

test('when nothing may run unasked, no pattern claims to apply', async () => {
  const other = await openStdio({ allow: ['/bin/echo *'], env: { PM_TERM_AUTO_APPROVE: 'never' } })
  try {
    expect((await other.headless({ action: 'run', command: 'pwd' })).data.error?.code).toBe('PM_TERM_APPROVAL_REQUIRED')
    const { data } = await other.headless({ action: 'get_allowlist' })
    expect((data.result.patterns ?? []).filter(({ active }) => active).length).toBe(0)
  } finally {
    await other.close()
  }
})
