import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Opened, openStdio } from '../drivers/mcp-client.ts'
import { Place } from '../drivers/place.ts'

/** When the disk is not as it should be, the answer is still ours: a code, advice, a trace id, no stack. */
let place: Place
let server: Opened | null = null
beforeEach(() => {
  place = new Place()
})
afterEach(async () => {
  await server?.close()
  place.remove()
})

const FAULT = {
  code: 'PM_TERM_INTERNAL',
  strategy: 'deterministic_internal_fallback',
  stack: false,
}
const told = async (request: Record<string, unknown>) => {
  const { data, text } = (await server?.headless(request)) ?? {}
  return {
    code: data?.error?.code,
    strategy: data?.fallback?.strategy,
    stack: /at .*\.(ts|cjs):\d/.test(`${JSON.stringify(data)}${text}`),
  }
}

test('a state directory that is a file: nothing runs, and it is said', async () => {
  rmSync(join(place.home, 'state'), { recursive: true, force: true })
  place.write('home/state', 'not a directory')
  server = await openStdio({ place })
  expect(await told({ action: 'run', command: 'pwd' })).toEqual(FAULT)
})

test('a state directory that vanishes: nothing runs unrecorded, and it is said', async () => {
  server = await openStdio({ place })
  await server.headless({ action: 'run', command: 'pwd', request_id: 'before' })
  rmSync(join(place.home, 'state'), { recursive: true, force: true })
  place.write('home/state', 'not a directory')
  expect(await told({ action: 'run', command: 'pwd', request_id: 'after' })).toEqual(FAULT)
  expect(await told({ action: 'list' })).not.toMatchObject({ stack: true })
})

test('it recovers by itself once the disk is mended', async () => {
  rmSync(join(place.home, 'state'), { recursive: true, force: true })
  place.write('home/state', 'not a directory')
  server = await openStdio({ place })
  await server.headless({ action: 'list' }).catch(() => {})
  rmSync(join(place.home, 'state'))
  mkdirSync(join(place.home, 'state'), { mode: 0o700 })
  const { data } = await server.headless({ action: 'run', command: 'pwd' })
  expect(data.result.stdout).toBe(`${place.work}\n`)
})
