import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { command, type Task, type World } from './task.ts'

const FAILING = 23_457

const answers = async (port: number): Promise<boolean> => {
  const reply = await fetch(`http://127.0.0.1:${port}/`).catch(() => null)
  return reply?.ok === true
}

const inDirectory = (world: World, name: string): string => {
  const file = join(world.directory, name)
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

/** Tasks of one command: it starts, prints, takes long, or goes on behind. */
export const ONE_COMMAND: readonly Task[] = [
  {
    name: 'start a dev server and wait for its port',
    lanes: ['interactive', 'headless'],
    needs: [],
    async act(agent, world) {
      const { port } = world
      const seen = await agent.run(command(world, agent.lane, 'dev-server', port), { output: { wait: { port } } })
      const isUp = seen.state === 'running' && seen.waited === 'port'
      const wasUp = isUp && (await answers(port))
      const ended = await agent.end(seen.session ?? '')
      return { wasUp, isDown: ended.state === 'killed' }
    },
    truth: async ({ port }) => ({ wasUp: true, isDown: !(await answers(port)) }),
  },
  {
    name: 'run tests and find the failing one in the flood',
    lanes: ['interactive', 'headless'],
    needs: [],
    async act(agent, world) {
      const line = command(world, agent.lane, 'run-tests', world.megabytes, FAILING)
      const seen = await agent.untilOver(await agent.run(line))
      const failed = seen.state === 'exited' && seen.exitCode !== 0
      const { found } = failed ? await agent.read(seen.session ?? '', { search: '^not ok' }) : { found: [] }
      return { failed, failing: found.length === 1 ? (found[0] ?? null) : null }
    },
    truth: () => ({ failed: true, failing: `not ok ${FAILING} - sums of case ${FAILING}` }),
  },
  {
    name: 'a build that takes longer than the call',
    lanes: ['interactive', 'headless'],
    needs: [],
    async act(agent, world) {
      const line = command(world, agent.lane, 'build-all', world.buildMs, world.directory)
      const first = await agent.run(line, { timeoutMs: 500 })
      const last = await agent.untilOver(first)
      return {
        wasStillRunning: first.state === 'running',
        built: last.exitCode === 0 && last.output.includes('built 12 files'),
        starts: 1,
      }
    },
    truth: world => ({
      wasStillRunning: true,
      built: inDirectory(world, 'built') === 'done',
      starts: inDirectory(world, 'started').split('\n').length - 1,
    }),
  },
  {
    name: 'a job in the background, read later',
    lanes: ['interactive', 'headless'],
    needs: [],
    async act(agent, world) {
      const job = await agent.run(command(world, agent.lane, 'count-job', world.directory), { timeoutMs: 0 })
      const between = await agent.run('pwd')
      const later = await agent.read(job.session ?? '', { wait: { match: 'the sum is (\\d+)' } })
      const over = await agent.untilOver(later)
      const sum = /the sum is (\d+)/.exec(later.output)?.[1] ?? null
      return { sum, between: between.output.trim(), over: over.state === 'exited' && over.exitCode === 0 }
    },
    truth: world => ({ sum: inDirectory(world, 'sum'), between: world.place.work, over: true }),
  },
]
