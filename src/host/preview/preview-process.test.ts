import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { FakeClock, idle } from '../../../test/fakes/fake-clock.ts'
import { jsonLog } from '../../base/log.ts'
import { PREVIEW_MS, type PreviewRequest } from '../../contract/preview/preview-frames.ts'
import { PreviewProcess } from './preview-process.ts'

const place = mkdtempSync(join(tmpdir(), 'it-preview-process-'))
const started = join(place, 'started')
const hung = join(place, 'hung')
/** Says one thing about each line, then waits for ever in a call that nothing but SIGKILL ends, as on a disk that is gone. */
const hangs = join(place, 'hangs.mjs')
writeFileSync(
  hangs,
  `import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { writeSync } from 'node:fs'
const say = line => writeSync(1, JSON.stringify(line) + '\\n')
process.on('SIGTERM', () => {})
appendFileSync(${JSON.stringify(started)}, process.pid + '\\n')
createInterface({ input: process.stdin }).on('line', line => {
  const { id, command } = JSON.parse(line)
  say({ id, item: { about: 'variable', name: 'A', value: command } })
  if (command === 'end') process.exit(1)
  if (command === 'noise') writeSync(1, 'no frame at all\\n')
  if (command === 'hang') appendFileSync(${JSON.stringify(hung)}, 'x')
  if (command === 'hang') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  say({ id, end: true, complete: true })
})
say({ ready: true })
`,
)
afterAll(() => rmSync(place, { recursive: true, force: true }))

const log = jsonLog({ level: 'silent', write: () => {}, now: () => 0 })
// Only the test says when its time is over: a busy machine may take its own.
let clock = new FakeClock()
const open = (args: string[] = [hangs]) =>
  new PreviewProcess({ clock, log, program: { node: process.execPath, args, env: {} } })
let previewer = open()
afterEach(() => {
  previewer.close()
  rmSync(hung, { force: true })
  clock = new FakeClock()
  previewer = open()
})
const look = (command: string, id = `ask_${command}`) => {
  const about = { command, args: null, shell: 'bash', cwd: '/', home: null } as const
  const request: Omit<PreviewRequest, 'ms'> = { id, ...about, variables: {}, own_git: false, ours: [] }
  return previewer.look(request)
}
const pids = () => readFileSync(started, 'utf8').trim().split('\n').map(Number)
const isGone = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return false
  } catch {
    return true
  }
}

test('one process answers one question after the other', async () => {
  const before = await look('a').then(() => pids().length)
  expect(await Promise.all([look('b'), look('c')])).toMatchObject([
    { items: [{ value: 'b' }], complete: true },
    { items: [{ value: 'c' }], complete: true },
  ])
  expect(pids()).toHaveLength(before)
})

test('a disk that never answers costs its time and no more: what was known is told, and the next question is answered', async () => {
  await look('a')
  const both = Promise.all([look('hang'), look('b')])
  await expect.poll(() => existsSync(hung)).toBe(true)
  // What it said before is in the pipe: it is read within a few turns.
  for (let turn = 0; turn < 10; turn += 1) await idle()
  await clock.advance(PREVIEW_MS)
  expect(await both).toMatchObject([
    { items: [{ value: 'hang' }], complete: false, tookMs: PREVIEW_MS },
    { items: [{ value: 'b' }], complete: true },
  ])
  await expect.poll(() => isGone(pids().at(-2) ?? 0)).toBe(true)
})

test.each(['end', 'noise'])(
  'a process that ends or speaks nonsense (%s) leaves an unknown, not a gap',
  async command => {
    expect(await look(command)).toMatchObject({ complete: false })
    expect(await look('b')).toMatchObject({ items: [{ value: 'b' }], complete: true })
  },
)

test('a program that cannot be started leaves an unknown', async () => {
  previewer.close()
  previewer = open([join(place, 'none.mjs')])
  expect(await look('a')).toMatchObject({ items: [], complete: false })
})

test('when the host ends, so does the process, also in the middle of a question', async () => {
  await look('a')
  const waiting = look('hang')
  await expect.poll(() => existsSync(hung)).toBe(true)
  const behind = look('b')
  previewer.close()
  expect(await Promise.all([waiting, behind, look('c')])).toMatchObject([
    { complete: false },
    { complete: false },
    { complete: false },
  ])
  await expect.poll(() => isGone(pids().at(-1) ?? 0)).toBe(true)
})
