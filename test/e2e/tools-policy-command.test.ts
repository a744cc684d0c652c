import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readJournal } from '../../src/runs/journal/journal.ts'
import { commandLine, shellLine, typed } from '../drivers/command-line.ts'
import { openStdio } from '../drivers/mcp-client.ts'
import { needs } from '../drivers/needs.ts'
import { Place } from '../drivers/place.ts'

let place: Place
beforeEach(() => {
  place = new Place()
})
afterEach(() => place.remove())

const rules = () => JSON.parse(place.read('home/data/test/terminal-allowlist.json')).patterns
const NEEDS_PERSON = 'Only a person can widen what may run: use a terminal.'

describe('without a terminal', () => {
  test.each([
    ['add', 'npm run build'],
    ['trust', '.'],
  ])('policy %s is refused', async (verb, what) => {
    const before = place.read('home/data/test/workspace.v1.json')
    expect(await commandLine(place, ['policy', verb, what])).toEqual({ code: 2, out: `${NEEDS_PERSON}\n` })
    expect([rules(), place.read('home/data/test/workspace.v1.json')]).toEqual([[], before])
  })

  test('policy list tells what may run and where each rule comes from', async () => {
    place.allow('npm run build')
    const { code, out } = await commandLine(place, ['policy', 'list'])
    expect(code).toBe(0)
    expect(out).toContain(`workspace "test" at ${place.work}`)
    expect(out).toMatch(/npm run build +terminal-allowlist\.json/)
    expect(out).toMatch(/pwd +default/)
  })

  test('policy list shows no rule as one that counts while a rule file is broken', async () => {
    place.write('home/data/test/terminal-allowlist.json', '{"patterns": [')
    const { code, out } = await commandLine(place, ['policy', 'list'])
    expect(code).toBe(1)
    expect(out).toContain('is not JSON: until it is fixed no rule counts here')
    expect(out).not.toMatch(/pwd +default/)
  })

  test('policy remove narrows, which anybody may', async () => {
    place.allow('npm run build', 'make *')
    expect((await commandLine(place, ['policy', 'remove', 'npm run build'])).code).toBe(0)
    expect(rules()).toEqual(['make *'])
  })
})

describe('in a terminal a person', needs('script'), () => {
  test('adds a rule, and it counts for the next command', async () => {
    const server = await openStdio({ place })
    try {
      const run = { action: 'run', command: '/bin/echo hi' }
      expect((await server.headless(run)).data.error?.code).toBe('PM_TERM_APPROVAL_REQUIRED')
      expect(await typed(place, ['policy', 'add', '/bin/echo *'])).toEqual({
        code: 0,
        out: '"/bin/echo *" runs without asking in the workspace "test".\n',
      })
      expect((await server.headless(run)).data.result.stdout).toBe('hi\n')
      await typed(place, ['policy', 'remove', '/bin/echo *'])
      expect((await server.headless(run)).data.error?.code).toBe('PM_TERM_APPROVAL_REQUIRED')
    } finally {
      await server.close()
    }
  })

  test('trusts a directory', async () => {
    const shop = join(place.root, 'shop')
    mkdirSync(shop)
    expect(await typed(place, ['policy', 'trust', shop])).toEqual({
      code: 0,
      out: `${shop} is the workspace "shop" and is trusted.\n`,
    })
    expect(JSON.parse(place.read('home/data/shop/workspace.v1.json'))).toMatchObject({
      workspace_id: 'shop',
      directory: shop,
      trusted: true,
      accepted: { base: [], headless: [] },
    })
  })

  test('and every change is in the journal, although no host runs', async () => {
    const shop = join(place.root, 'shop')
    mkdirSync(shop)
    await typed(place, ['policy', 'trust', shop])
    await typed(place, ['policy', 'add', 'make test', '--directory', shop])
    await commandLine(place, ['policy', 'remove', 'make test', '--directory', shop])
    const journal = await readJournal(join(place.home, 'state', 'journal.db'))
    const rows = journal.newest('rules_changed', 3).map(({ body }) => body)
    expect(journal.verify()).toMatchObject({ sound: true })
    journal.close()
    const about = { workspace_id: 'shop', by: 'command line' }
    expect(rows).toMatchObject([
      { ...about, removed: ['make test'] },
      { ...about, added: ['make test'] },
      { ...about, directory: shop, trusted: true },
    ])
  })

  test.each([
    ['the home', () => place.root, 'it is your home directory'],
    ['what is above it', () => join(place.root, '..'), 'your home directory is inside it'],
    ['the root', () => '/', 'it is the root of a disk'],
    ['our own data', () => join(place.home, 'data', 'test'), 'it belongs to this product'],
    [
      'what others can write',
      () => {
        const open = join(place.root, 'open')
        mkdirSync(open)
        chmodSync(open, 0o777)
        return open
      },
      'every user of this machine can write there',
    ],
  ])('cannot trust %s', async (_, directory, why) => {
    const { code, out } = await typed(place, ['policy', 'trust', directory()])
    expect([code, out]).toEqual([2, expect.stringContaining(`cannot be a workspace: ${why}`)])
  })

  test.each(['*', 'rm $HOME', 'a | b', ''])('cannot add %j, which is no pattern', async pattern => {
    const { code, out } = await typed(place, ['policy', 'add', pattern])
    expect(code).toBe(2)
    expect(out).not.toMatch(/at .*\.cjs:\d+/)
    expect(rules()).toEqual([])
  })

  test('who trusts another directory of the same name does not hand it the rules of the first', async () => {
    const [first, second] = ['a/app', 'b/app'].map(path => join(place.root, path)) as [string, string]
    for (const directory of [first, second]) mkdirSync(directory, { recursive: true })
    await typed(place, ['policy', 'trust', first])
    await typed(place, ['policy', 'add', '/bin/echo *', '--directory', first])
    await typed(place, ['policy', 'trust', second])
    const listed = async (directory: string) =>
      (await commandLine(place, ['policy', 'list', '--directory', directory])).out.includes('/bin/echo *')
    expect({ first: await listed(first), second: await listed(second) }).toEqual({ first: true, second: false })
  })

  test('names a workspace that cannot be one and is told so, without a stack', async () => {
    const { code, out } = await typed(place, ['policy', 'trust', place.work, '--workspace', '../../evil'])
    expect(code).toBe(2)
    expect(out).not.toMatch(/at .*\.cjs:\d+|ZodError/)
  })
})

describe('from inside a command that runs here', () => {
  /** The very rule that a person may add (above): what is refused here is refused for where it comes from. */
  const add = shellLine(['policy', 'add', '/bin/echo *'])
  const attempt = async (line: string) => {
    const server = await openStdio({ place })
    try {
      const { data } = await server.headless({
        action: 'run',
        ...place.shell(`PM_TERM_HOME=${place.home} ${line} 2>&1`),
      })
      return {
        said: data.result.stdout?.replaceAll('\r', ''),
        added: rules().filter((pattern: string) => !pattern.includes('line.sh')),
      }
    } finally {
      await server.close()
    }
  }
  const REFUSED = {
    said: 'A command that runs here cannot widen what may run. Use a terminal of your own.\n',
    added: [],
  }

  test('policy add is refused', async () => {
    expect(await attempt(add)).toEqual(REFUSED)
  })

  test('A27: policy add is refused, also in a terminal it made for itself', needs('script'), async () => {
    expect(await attempt(`script -qec "${add}" /dev/null`)).toEqual(REFUSED)
  })

  test('A27: policy add is refused, also when it hides where it comes from', needs('script'), async () => {
    const hidden = 'env -u INTERACTIVE_TERMINAL_RUN -u INTERACTIVE_TERMINAL_SERVER'
    expect(await attempt(`${hidden} script -qec "${add}" /dev/null`)).toEqual(REFUSED)
  })
})
