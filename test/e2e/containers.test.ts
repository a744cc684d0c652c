import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { needs } from '../drivers/needs.ts'
import { engineHere, makeImage } from '../netns/engine.ts'

const netns = resolve(import.meta.dirname, '../netns')
const root = resolve(netns, '../..')
const LONGEST_MS = 900_000

interface Outcome {
  readonly numTotalTests: number
  readonly testResults: readonly {
    readonly name: string
    readonly message: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: 'passed' | 'failed' | 'skipped' | 'pending'
      readonly failureMessages: readonly string[]
    }[]
  }[]
}

/**
 * Side by side, each in a network of its own with an engine of its own. Two, because starting a run costs more than the tests of a
 * file: nearly all of their time they wait, and other files have the processors then.
 */
const PARTS: readonly (readonly string[])[] = [['parity', 'image', 'bridge'], ['faults']]

/** Tests of test/netns, in a network namespace: nothing leaves the machine, and fixed ports are free. */
async function runApart(
  files: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly said: string; readonly outcome: Outcome }> {
  const directory = mkdtempSync(join(tmpdir(), 'it-apart-'))
  const outputFile = join(directory, 'outcome.json')
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const config = ['--config', join(netns, 'vitest.config.ts'), '--reporter', 'json', '--outputFile', outputFile]
  const which = files.map(file => `test/netns/${file}`)
  const args = ['run', ...config, ...which]
  const child = spawn(join(netns, 'in-netns.sh'), [process.execPath, vitest, ...args], {
    cwd: root,
    env: { ...process.env, IT_BUILT: '1', IT_IMAGE_MADE: made, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (said += chunk))
  try {
    await new Promise((done, fail) => child.once('exit', done).once('error', fail))
    return { said, outcome: JSON.parse(readFileSync(outputFile, 'utf8')) as Outcome }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

const failuresOf = ({ testResults }: Outcome): string[] =>
  testResults.flatMap(({ name, message, assertionResults }) => [
    ...(message === '' ? [] : [`${name}: ${message}`]),
    ...assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages.join('\n')}`),
  ])
const engineOf = (said: string) => /containers are (.+)/.exec(said)?.[1]

const NEEDED = needs('a network of its own', 'nft', 'git')

/** The image, made once for all of them. */
let made = ''

describe('containers', { concurrent: true, ...NEEDED }, () => {
  beforeAll(() => {
    made = mkdtempSync(join(tmpdir(), 'it-image-'))
    makeImage(engineHere(), made)
  }, LONGEST_MS)
  afterAll(() => rmSync(made, { recursive: true, force: true, maxRetries: 5 }))

  test(
    'from a container everything is the same, and whatever breaks, nothing runs that nobody allowed',
    async () => {
      const parts = await Promise.all(PARTS.map(part => runApart(part)))
      const engines = [...new Set(parts.map(({ said }) => engineOf(said)))]
      console.log(`containers are ${engines}`)
      expect(parts.flatMap(({ outcome }) => failuresOf(outcome))).toEqual([])
      const all = parts.flatMap(({ outcome }) => outcome.testResults.flatMap(each => each.assertionResults))
      const passed = new Set(all.filter(({ status }) => status === 'passed').map(({ fullName }) => fullName))
      expect(passed.size).toBeGreaterThan(50)
      if (engines.some(engine => engine?.includes('podman')))
        expect(all.filter(({ fullName }) => !passed.has(fullName)).map(({ fullName }) => fullName)).toEqual([])
      if (process.env.IT_NO_SKIPS !== undefined) expect(engines).toEqual([expect.stringContaining('podman')])
    },
    LONGEST_MS,
  )

  test(
    'where there is no engine, a container is a network namespace with a root of its own, and that is said',
    async () => {
      const bin = pathWithout('podman')
      try {
        const { said, outcome } = await runApart(['bridge'], { PATH: bin })
        expect(engineOf(said)).toBe('network namespaces (no container engine)')
        expect(failuresOf(outcome)).toEqual([])
        expect(outcome.numTotalTests).toBe(1)
      } finally {
        rmSync(bin, { recursive: true, force: true })
      }
    },
    LONGEST_MS,
  )
})

/** A PATH on which everything is but this program. */
function pathWithout(program: string): string {
  const bin = mkdtempSync(join(tmpdir(), 'it-bin-'))
  for (const directory of (process.env.PATH ?? '').split(delimiter).filter(existsSync))
    for (const name of readdirSync(directory))
      if (name !== program && !existsSync(join(bin, name))) symlinkSync(join(directory, name), join(bin, name))
  return bin
}
