import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { needs } from '../drivers/needs.ts'
import { Place, PRODUCT } from '../drivers/place.ts'

interface Case {
  readonly id: string
  readonly group: string
  readonly shell?: string
  readonly allowlist?: readonly string[]
  readonly command: string
  readonly args?: readonly string[] | null
  readonly env?: Readonly<Record<string, string>> | null
  readonly expect: string
  readonly headless: string
  readonly requires?: string
}

/** The sample of the attack on the gate: lines with the default rules, on a tree as agents meet it, in three places. */
const place = new Place()
const FILES = {
  'package.json': '{"scripts":{"test":"true","build":"true","lint":"true"}}\n',
  'README.md': 'x\n',
  Makefile: 'test:\n\ttrue\n',
  '.env': 'KEY=1\n',
  id_rsa: 'KEY\n',
  'server.pem': 'KEY\n',
  'src/a.ts': 'x\n',
  'src/index.ts': 'export {}\n',
}
const at = (name: string): string => join(place.work, name)
const WORKSPACES = {
  app: { directory: at('app'), trusted: true },
  bound: { directory: at('bound'), trusted: false },
  unbound: null,
}
const LANES = ['interactive', 'headless'] as const

const cases = readFileSync(join(import.meta.dirname, '../data/surroundings-sample.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map(line => JSON.parse(line) as Case)

beforeAll(() => {
  for (const name of Object.keys(WORKSPACES)) {
    for (const [file, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(at(name), file)), { recursive: true })
      writeFileSync(join(at(name), file), text)
    }
    spawnSync('git', ['init', '-q', at(name)])
  }
})
afterAll(() => place.remove())

interface Asked {
  readonly one: Case
  readonly lane: (typeof LANES)[number]
  readonly where: string
  readonly line: object
}
type Judged = Asked & { readonly verdict: string }

/** One process judges them all. */
function judged(): Judged[] {
  const asked = cases.flatMap(one =>
    LANES.flatMap((lane): Asked[] => {
      const { id, shell, command, args, env } = one
      const line = { id, shell, command, args, env, lane }
      if (!one.requires?.startsWith('workspace_defaults'))
        return [{ one, lane, where: 'words', line: { ...line, allowlist: one.allowlist ?? [] } }]
      return Object.entries(WORKSPACES).map(([where, workspace]) => ({
        one,
        lane,
        where,
        line: { ...line, cwd: at(where), workspace, defaults: true },
      }))
    }),
  )
  const input = asked.map(({ line }) => JSON.stringify(line)).join('\n')
  const { stdout } = spawnSync(process.execPath, [PRODUCT, 'policy', 'eval'], {
    input,
    env: place.env(),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  const answers = stdout.trim().split('\n')
  return asked.map((each, i) => ({ ...each, verdict: (JSON.parse(answers[i] ?? '{}') as { verdict: string }).verdict }))
}

const FITS: Readonly<Record<string, (verdict: string) => boolean>> = {
  auto: verdict => verdict === 'auto',
  run: verdict => verdict === 'auto',
  blocked_or_approval: verdict => verdict !== 'auto',
  blocked_destructive: verdict => verdict === 'destructive',
  block: verdict => verdict !== 'auto',
  either: () => true,
}
const isEveryday = ({ group }: Case): boolean => group.startsWith('red-everyday')

test(
  'no line of the sample that could hurt runs unasked, wherever it is sent, and everyday lines do',
  needs('git'),
  () => {
    const all = judged()
    const wrong = all
      .filter(({ one }) => !isEveryday(one))
      .filter(({ one, lane, verdict }) => !FITS[lane === 'headless' ? one.headless : one.expect]?.(verdict))
    expect(
      wrong.map(({ one, lane, where, verdict }) => `${one.id} ${where} ${lane}: ${one.command} → ${verdict}`),
    ).toEqual([])
    const unasked = (group: string, where: string) =>
      all.filter(
        each =>
          each.one.group === group && each.where === where && each.lane === 'interactive' && each.verdict === 'auto',
      ).length
    expect(unasked('red-everyday-read', 'app')).toBeGreaterThanOrEqual(38)
    expect(unasked('red-everyday-test', 'app')).toBeGreaterThanOrEqual(11)
    expect(unasked('red-everyday-read', 'bound')).toBeGreaterThanOrEqual(37)
  },
)
