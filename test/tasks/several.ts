import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { processTable } from '../../src/base/process/process-table.ts'
import { eventually } from '../drivers/mcp-client.ts'
import { command, type Task, type World } from './task.ts'

const pidIn = (world: World, name: string): number => {
  const file = join(world.directory, name)
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
}
const table = processTable(process.platform)
/** One that has ended and that nobody has asked about yet does not live. */
const lives = (world: World, name: string): boolean => pidIn(world, name) > 0 && table.row(pidIn(world, name)) !== null

/** Tasks with more than one terminal, process or server. */
export const SEVERAL: readonly Task[] = [
  {
    name: 'two terminals, each with its own directory',
    lanes: ['interactive'],
    needs: ['bash'],
    prepare(world) {
      for (const name of ['api', 'web']) mkdirSync(join(world.directory, name))
    },
    async act(agent, world) {
      // While one is busy, the next command gets another one.
      const busy = await agent.run(`cd ${world.directory}/api && read -p "Go? " a`)
      const other = await agent.run(`cd ${world.directory}/web`)
      await agent.type(busy.session ?? '', 'y\n')
      const api = await agent.run('pwd', { terminal: busy.terminal ?? '' })
      const web = await agent.run('pwd', { terminal: other.terminal ?? '' })
      return { differ: busy.terminal !== other.terminal, api: api.output.trim(), web: web.output.trim() }
    },
    truth: ({ directory }) => ({ differ: true, api: join(directory, 'api'), web: join(directory, 'web') }),
  },
  {
    name: 'end the right one of two processes',
    lanes: ['interactive', 'headless'],
    needs: [],
    async act(agent, world) {
      for (const name of ['alpha', 'beta'])
        await agent.run(command(world, agent.lane, 'worker', join(world.directory, name)), {
          output: { wait: { match: 'working' } },
        })
      const { runs } = await agent.list()
      const beta = runs.find(run => run.state === 'running' && run.command.includes(join(world.directory, 'beta')))
      const ended = await agent.end(beta?.session ?? '')
      const left = (await agent.list()).runs.filter(
        run => run.state === 'running' && run.command.includes(world.directory),
      )
      return { beta: ended.state !== 'killed', alpha: left.length === 1 && (left[0]?.command ?? '').includes('alpha') }
    },
    truth: world => ({ beta: lives(world, 'beta'), alpha: lives(world, 'alpha') }),
  },
  {
    name: 'go on after the server was killed',
    lanes: ['interactive', 'headless'],
    // Without it a headless command outlives a server that was killed outright.
    needs: ['the spawner'],
    async act(agent, world) {
      const line = command(world, agent.lane, 'build-all', 1000, world.directory)
      const { session } = await agent.run(line, { timeoutMs: 300 })
      agent.moveTo(await world.restart())
      const last = await agent.untilOver(await agent.read(session ?? '', { wait: { until: 'exit' } }))
      if (last.state === 'lost') return { built: false, isKnown: true }
      return { built: last.exitCode === 0, isKnown: last.state === 'exited' }
    },
    async truth(world) {
      // A headless command ends with its server: then it is never built.
      const built = () => existsSync(join(world.directory, 'built'))
      if (!built()) await eventually('it had its time', () => built(), 1200).catch(() => {})
      return { built: built(), isKnown: true }
    },
  },
]
