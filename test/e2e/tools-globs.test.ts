import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Opened, openStdio } from '../drivers/mcp-client.ts'

/** Wildcards without a shell: expanded before the line is judged, or refused. */
let server: Opened
beforeAll(async () => {
  server = await openStdio({ allow: ['/bin/ls *', '/bin/echo *', '/bin/rm a.txt *'] })
  for (const file of ['a.txt', 'b.txt', '.c.txt', 'c.md']) writeFileSync(join(server.work, file), `${file}\n`)
  mkdirSync(join(server.work, 'options'))
  writeFileSync(join(server.work, 'options', '-la'), '')
})
afterAll(() => server.close())

const run = async (command: string, cwd = server.work) => (await server.headless({ action: 'run', command, cwd })).data

test.each([
  ['ls *.txt', 'a.txt\nb.txt\n'],
  ['ls ?.txt', 'a.txt\nb.txt\n'],
  ['cat [ab].txt', 'a.txt\nb.txt\n'],
  ['/bin/echo *.txt "*.txt" .c*', 'a.txt b.txt *.txt .c.txt\n'],
])('%s runs with the files that are there', async (command, stdout) => {
  expect((await run(command)).result).toMatchObject({ exit_code: 0, stdout })
})

test('a wildcard that nothing matches is passed on as it is, as bash does', async () => {
  expect((await run('/bin/echo *.none')).result.stdout).toBe('*.none\n')
})

test('with args nothing is expanded: they are literal', async () => {
  const { data } = await server.headless({ action: 'run', command: '/bin/echo', args: ['*.txt'] })
  expect(data.result.stdout).toBe('*.txt\n')
})

test('what a wildcard stands for is judged: a secret and an option are not run', async () => {
  writeFileSync(join(server.work, 'server.pem'), 'secret')
  const secret = await run('cat *')
  expect(secret.error?.message).toContain('server.pem may hold secrets')
  const option = await run('/bin/ls *', join(server.work, 'options'))
  expect(option.error?.message).toContain('the file -la looks like an option')
  expect(option.result.stdout).toBeUndefined()
})
