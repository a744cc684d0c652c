import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Opened, openStdio } from '../drivers/mcp-client.ts'

/** Many commands, one after the other and all at once. */
let server: Opened
beforeAll(async () => {
  server = await openStdio({ allow: ['sleep *', 'echo *'] })
})
afterAll(() => server.close())

const descriptors = () => readdirSync(`/proc/${server.pid}/fd`).length
const megabytes = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1024

test('200 commands at once all succeed, side by side', { timeout: 60_000 }, async () => {
  const began = performance.now()
  const answers = await Promise.all(
    Array.from({ length: 200 }, () => server.headless({ action: 'run', command: 'sleep 0.2' })),
  )
  expect(answers.filter(({ data }) => data.result.exit_code === 0 && data.result.state === 'exited').length).toBe(200)
  // One after the other they would sleep for 40 s.
  expect(performance.now() - began).toBeLessThan(35_000)
})

test('1000 quick commands each give their output and leave no descriptor behind', { timeout: 60_000 }, async () => {
  const echo = async (i: number) => (await server.headless({ action: 'run', command: `echo ${i}` })).data.result
  await echo(-1)
  const before = { descriptors: descriptors(), megabytes: megabytes() }
  const wrong: unknown[] = []
  for (let i = 0; i < 1000; i += 20) {
    const results = await Promise.all(Array.from({ length: 20 }, (_, j) => echo(i + j)))
    wrong.push(...results.filter((result, j) => result.stdout !== `${i + j}\n` || result.drained !== undefined))
  }
  expect([wrong, descriptors() - before.descriptors <= 2, megabytes() - before.megabytes < 60]).toEqual([
    [],
    true,
    true,
  ])
})
