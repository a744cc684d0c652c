import { expect, test } from 'vitest'
import { systemClock } from '../../base/clock.ts'
import { checkEntry, entryIn } from './check-entry.ts'
import { SETUP_CLIENTS } from './clients.ts'
import { applyEdit } from './config-edit.ts'

const at = {
  home: '/home/ann',
  platform: 'linux' as const,
  env: {},
  exists: () => false,
  stdio: { command: 'node', args: ['/opt/it.cjs', 'mcp'] },
}

test.each(SETUP_CLIENTS.map(client => [client.id, client] as const))(
  'what %s would start is read from its own file',
  (_, { files }) => {
    const found = files(at, false).flatMap(({ edits }) => {
      const text = edits.reduce(applyEdit, '')
      return edits.map(edit => entryIn(text, edit)).filter(entry => entry !== null)
    })
    expect(found).toEqual([at.stdio])
  },
)

const started = (script: string) =>
  checkEntry(
    { command: process.execPath, args: ['-e', script] },
    { env: { PATH: process.env.PATH }, cwd: '/', clock: systemClock },
  )

test.each([
  [
    'ends at once',
    'console.error("no such thing"); process.exit(3)',
    /^it ended with 3 before it listed its tools\. It said: no such thing/,
  ],
  ['is no MCP server', 'console.log("hello"); setTimeout(() => {}, 9000)', /^its stdout is not MCP: hello/],
])('an entry that %s is told as that', async (_, script, problem) => {
  expect(await started(script)).toEqual({ problem: expect.stringMatching(problem) })
})

test('an entry whose program is gone is told as that', async () => {
  const found = await checkEntry({ command: '/nowhere/node', args: [] }, { env: {}, cwd: '/', clock: systemClock })
  expect(found).toEqual({ problem: expect.stringMatching(/^it cannot be started: .*ENOENT/) })
})
