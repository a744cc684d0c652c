import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const netns = resolve(import.meta.dirname, '../netns')
const root = resolve(netns, '../..')
const canUnshare = spawnSync(join(netns, 'in-netns.sh'), ['true']).status === 0
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

/** The tests of test/netns, in a network namespace: nothing leaves the machine, and fixed ports are free. */
async function runApart(): Promise<{ readonly said: string; readonly outcome: Outcome }> {
  const directory = mkdtempSync(join(tmpdir(), 'it-apart-'))
  const outputFile = join(directory, 'outcome.json')
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const args = ['run', '--config', join(netns, 'vitest.config.ts'), '--reporter', 'json', '--outputFile', outputFile]
  const child = spawn(join(netns, 'in-netns.sh'), [process.execPath, vitest, ...args], {
    cwd: root,
    env: { ...process.env, IT_BUILT: '1' },
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

// A machine on which nobody may make a namespace cannot run these; in CI that is a failure.
test.skipIf(!canUnshare && process.env.IT_NO_SKIPS === undefined)(
  'from a container everything is the same, and whatever breaks, nothing runs that nobody allowed',
  async () => {
    const { said, outcome } = await runApart()
    const engine = /containers are (.+)/.exec(said)?.[1]
    console.log(`containers are ${engine}`)
    const failed = outcome.testResults.flatMap(({ name, message, assertionResults }) => [
      ...(message === '' ? [] : [`${name}: ${message}`]),
      ...assertionResults
        .filter(({ status }) => status === 'failed')
        .map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages.join('\n')}`),
    ])
    expect(failed).toEqual([])
    expect(outcome.numTotalTests).toBeGreaterThan(50)
    if (process.env.IT_NO_SKIPS !== undefined) expect(engine).toContain('podman')
  },
  LONGEST_MS,
)
