import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { normalise } from './normalise.ts'
import { parityPage, type Seen } from './parity-page.ts'
import { BREAKING, HEADLESS, INTERACTIVE, type Scenario } from './scenarios.ts'
import { Side } from './side.ts'
import { TwoSides } from './two-sides.ts'

const PAGE = resolve(import.meta.dirname, '../../docs/parity.md')
const ALL = [...HEADLESS, ...INTERACTIVE, ...BREAKING]

let world: TwoSides
let sides: readonly Side[]
const seen: Seen[] = []
beforeAll(async () => {
  world = new TwoSides({ PM_TERM_APPROVER_WAIT_MS: '1500' })
  world.pair('box')
  await world.startHost()
  await world.attach()
  const near = await world.proxy(9100, { host: '127.0.0.1', port: 9200 })
  const far = await world.proxy(45_459, { host: '0.0.0.0', port: 9300 })
  const cuttable = { env: { PM_INTERACTIVE_TERMINAL_HOST_PORT: '9300' }, keyOf: 'box' }
  sides = [
    new Side({
      name: 'local',
      world,
      server: await world.local(),
      flaky: { server: await world.local({ env: { PM_TERM_PORT: '9200' } }), line: near },
    }),
    new Side({
      name: 'container',
      world,
      server: await world.container('box'),
      flaky: { server: await world.container('box-too', cuttable), line: far },
    }),
  ]
})
afterAll(() => world.end())

async function observe({ lane, name, run, shows }: Scenario, side: Side): Promise<readonly unknown[]> {
  side.begin(`${lane} ${name}`)
  const here = await run(side)
  expect(here, `${side.name}: ${name}`).toMatchObject([...shows])
  return normalise(here) as readonly unknown[]
}

/** The same thing done here and in a container: what the agent sees must not tell which is which. */
async function compare(scenario: Scenario): Promise<void> {
  const observed: (readonly unknown[])[] = []
  if (scenario.inTurn) for (const side of sides) observed.push(await observe(scenario, side))
  else observed.push(...(await Promise.all(sides.map(side => observe(scenario, side)))))
  const [local = [], container] = observed
  const different = differences(container, local)
  expect(different, different.join('\n')).toEqual([])
  seen.push({ scenario, observed: local })
}

function differences(container: unknown, local: unknown, at = ''): string[] {
  if (typeof container !== 'object' || typeof local !== 'object' || container === null || local === null)
    return Object.is(container, local)
      ? []
      : [`${at}: ${JSON.stringify(container)} instead of ${JSON.stringify(local)}`]
  const names = new Set([...Object.keys(container), ...Object.keys(local)])
  return [...names].flatMap(name =>
    differences(Reflect.get(container, name), Reflect.get(local, name), `${at}/${name}`),
  )
}

describe('headless, the same from a container', () => {
  test.each(HEADLESS)('$name', compare)
})

describe('interactive, the same from a container', () => {
  test.each(INTERACTIVE)('$name', compare)
})

describe('when something breaks, the same from a container', () => {
  test.each(BREAKING)('$name', compare)
})

test('the page about it says what was seen', ({ skip }) => {
  if (seen.length < ALL.length) skip('not all scenarios were run')
  if (inject('engine').kind !== 'podman') skip('the page is about real containers')
  if (process.env.IT_WRITE_PARITY !== undefined) writeFileSync(PAGE, parityPage(seen))
  expect(readFileSync(PAGE, 'utf8')).toBe(parityPage(seen))
})
