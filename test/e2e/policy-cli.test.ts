import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { commandLine, typed } from '../drivers/command-line.ts'
import { openStdio } from '../drivers/mcp-client.ts'
import { needs } from '../drivers/needs.ts'
import { Place, PRODUCT } from '../drivers/place.ts'

const place = new Place({ trusted: true, allow: ['make lint'] })
afterAll(() => place.remove())

const judged = (lines: readonly string[]): Record<string, unknown>[] =>
  spawnSync(process.execPath, [PRODUCT, 'policy', 'eval'], { input: `${lines.join('\n')}\n`, encoding: 'utf8' })
    .stdout.trim()
    .split('\n')
    .map(line => JSON.parse(line) as Record<string, unknown>)

test(
  'a person sees at a glance what would happen to a line, and which rule would cover it',
  needs('git', 'make'),
  async () => {
    const { code, out } = await commandLine(place, [
      'policy',
      'explain',
      'make lint && npm test | tail -5 && git fetch',
    ])
    expect(code).toBe(0)
    expect(out).toBe(`NEEDS APPROVAL  git: no rule covers it

  make lint && npm test | tail -5 && git fetch
  └── 1 ──┘    └─ 2 ──┘   └─ 3 ─┘    └── 4 ──┘

  1 ✓ make lint  allowed by "make lint"
  2 ✓ npm test   allowed by "npm test *"
  3 ✓ tail -5    allowed by "tail *"
  4 ✗ git fetch  no rule covers it

  What it does: make runs code of the project; npm runs code of the project; git
  gets commits from elsewhere

  Without a window (memory_terminal) it is refused: the headless lane takes no shell operators, and the line has &&.
  To run unasked: a rule: \`git fetch *\`.
  A rule that would cover it (policy add "…"), narrowest first:
    git fetch  also allows: nothing else
    git fetch *  also allows: "git fetch" with any further words, except options that run a program, write a file or load code
`)
  },
)

test('the gate can be scored from outside: one answer per line, whatever comes in', () => {
  const sample = readFileSync(join(import.meta.dirname, '../data/policy-sample.jsonl'), 'utf8')
    .trim()
    .split('\n')
  const answers = judged([...sample, 'no json', '{}', '[]', '{"id":"x","allowlist":[],"command":"ls","shell":"tcsh"}'])
  expect(answers.length).toBe(sample.length + 4)
  expect(answers.slice(0, sample.length).map(({ id }) => id)).toEqual(sample.map(line => JSON.parse(line).id))
  expect(answers.slice(-4).map(({ verdict }) => verdict)).toEqual(['blocked', 'blocked', 'blocked', 'approval'])
})

test('the lane of a case counts', () => {
  const line = { id: 'a', allowlist: ['ls', 'wc'], command: 'ls | wc' }
  const lanes = ['interactive', 'headless'].map(lane => JSON.stringify({ ...line, lane }))
  expect(judged(lanes).map(({ verdict }) => verdict)).toEqual(['auto', 'blocked'])
})

test('a case with its surroundings is judged on this disk, as a request there would be', () => {
  place.write('work/notes.txt', 'here')
  const own = { directory: place.work, trusted: true }
  const cases = [
    { command: 'cat notes.txt', workspace: own },
    { command: 'npm test', workspace: own },
    { command: 'npm test', workspace: { ...own, trusted: false } },
    { command: 'cat notes.txt', workspace: null },
    { command: 'make all', workspace: own, patterns: ['make all'] },
    { command: 'cat notes.txt', workspace: own, defaults: false },
    { command: 'cat notes.txt', cwd: join(place.work, 'nowhere') },
  ]
  const lines = cases.map((each, i) => JSON.stringify({ id: `${i}`, cwd: place.work, ...each }))
  expect(judged(lines).map(({ verdict }) => verdict)).toEqual([
    'auto',
    'auto',
    'approval',
    'approval',
    'auto',
    'approval',
    'blocked',
  ])
})

test('§1.1 a virtual environment in a folder that is not trusted makes every line need approval', () => {
  for (const name of ['bash', 'node']) place.write(`work/.venv/bin/${name}`, '#!/bin/sh\n', 0o755)
  const line = { id: 'venv', command: 'pwd', cwd: place.work, activate_venv: true }
  const places = [null, { directory: place.work, trusted: false }, { directory: place.work, trusted: true }]
  const answers = judged(places.map(workspace => JSON.stringify({ ...line, workspace })))
  expect(answers.map(({ verdict }) => verdict)).toEqual(['approval', 'approval', 'auto'])
  expect(answers[0]?.why).toMatch(/the virtual environment .*\.venv is not in a trusted folder/)
})

test('a rule can be tried on past requests before it is made', needs('git'), async () => {
  const server = await openStdio({ place })
  for (const command of ['git fetch', 'git fetch', 'git gc', 'pwd']) await server.headless({ action: 'run', command })
  await server.close()
  const { out } = await commandLine(place, ['policy', 'replay', 'git fetch *'])
  expect(out).toBe(`4 past requests: 3 would run unasked, 0 would need approval, 1 would be blocked.
With the rule these would have run without asking:
     2 × git fetch
`)
})

test('a rule that would allow everything is turned down with the reason', needs('script'), async () => {
  const { code, out } = await typed(place, ['policy', 'add', 'bash *'])
  expect([code, out]).toEqual([2, expect.stringContaining('"bash *" cannot be a rule')])
})
