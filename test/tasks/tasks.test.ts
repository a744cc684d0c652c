import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HostProcesses } from '../drivers/host-process.ts'
import { KnownProcess } from '../drivers/known-process.ts'
import { type Opened, openStdio } from '../drivers/mcp-client.ts'
import { skipWithout } from '../drivers/needs.ts'
import { ScriptedPerson } from '../drivers/scripted-person.ts'
import { CONVERSATIONS } from './conversations.ts'
import { ONE_COMMAND } from './one-command.ts'
import { putPrograms } from './programs.ts'
import type { Form } from './read-answer.ts'
import { ScriptedAgent } from './scripted-agent.ts'
import { SEVERAL } from './several.ts'
import { freePort, type Task } from './task.ts'

/**
 * Ten real tasks, each by an agent that reads only the text of answers and by one that reads only their JSON. At full size, with
 * the rows in a file, by `npm run reality:tasks`.
 */
const TASKS: readonly Task[] = [...ONE_COMMAND, ...CONVERSATIONS, ...SEVERAL]
const FULL = process.env.IT_TASKS_ROWS !== undefined
const SIZE = FULL ? { megabytes: 50, buildMs: 40_000 } : { megabytes: 8, buildMs: 1500 }

interface Row {
  readonly task: string
  readonly lane: string
  readonly form: Form
  readonly calls: number
  readonly bytes: number
  readonly asked: number
  readonly wrong: number
}

const rows: Row[] = []
/** Of each kind of agent, until a task has killed it. */
const servers = new Map<string, Opened>()
let at: HostProcesses
let person: ScriptedPerson

beforeAll(async () => {
  at = new HostProcesses({ PM_TERM_KILL_GRACE_MS: '500' })
  putPrograms(at.place)
  await at.start()
  person = new ScriptedPerson((await at.meet()).approver)
}, 60_000)

afterAll(async () => {
  person.leaves()
  await Promise.allSettled([...servers.values()].map(server => server.close()))
  await at.close()
  if (rows.length > 0) console.table(rows)
  const file = process.env.IT_TASKS_ROWS
  if (file !== undefined) writeFileSync(file, JSON.stringify(rows))
}, 60_000)

async function serverOf(agent: string): Promise<Opened> {
  const server = servers.get(agent) ?? (await openStdio({ place: at.place }))
  servers.set(agent, server)
  return server
}

const CASES = TASKS.flatMap(task =>
  task.lanes.flatMap(lane => (['text', 'json'] as const).map(form => ({ task, lane, form, name: task.name }))),
)

test.for(CASES)(
  'an agent that reads only the $form of answers believes nothing wrong: $name ($lane)',
  { timeout: 180_000 },
  async ({ task, lane, form, name }, { skip }) => {
    skipWithout(skip, ...task.needs)
    const directory = join(
      at.place.work,
      `${CASES.findIndex(each => each.task === task && each.lane === lane && each.form === form)}`,
    )
    mkdirSync(directory)
    const kind = `${lane}, ${form}`
    const before = await serverOf(kind)
    const agent = new ScriptedAgent(before, form, lane)
    const asked = person.asked
    const restart = async () => {
      new KnownProcess(before.pid).kill('SIGKILL')
      await before.close()
      servers.delete(kind)
      return serverOf(kind)
    }
    const world = { place: at.place, directory, person, port: await freePort(), ...SIZE, restart }

    task.prepare?.(world)
    const believed = await task.act(agent, world)
    const truth = await task.truth(world)
    const wrong = Object.keys(truth).filter(fact => believed[fact] !== truth[fact]).length
    rows.push({ task: name, lane, form, calls: agent.calls, bytes: agent.bytes, asked: person.asked - asked, wrong })
    expect(believed).toEqual(truth)
  },
)
