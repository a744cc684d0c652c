import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ScriptedAgent } from './scripted-agent.ts'
import { command, type Task, type World } from './task.ts'

const COMMITS = 8
const BROKEN_SINCE = 6
const SECRET = 'hunter2 is long'

const git = (world: World, ...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
    cwd: world.directory,
    encoding: 'utf8',
    env: world.place.env(),
  }).trim()

/** Tasks in which a program asks, or one answer decides about the next command. */
export const CONVERSATIONS: readonly Task[] = [
  {
    name: 'answer the questions of npm init',
    lanes: ['interactive'],
    needs: ['npm'],
    prepare: world => writeFileSync(join(world.place.root, '.npmrc'), 'update-notifier=false\n'),
    async act(agent, world) {
      let seen = await agent.run('npm init', { cwd: world.directory })
      let questions = 0
      for (; questions < 20 && seen.waits !== null && seen.waits !== 'secret'; questions++)
        seen = await agent.type(seen.session ?? '', `${answerTo(seen.question)}\n`)
      const over = await agent.untilOver(seen)
      return { ended: over.exitCode === 0, name: 'scripted-app', license: 'MIT' }
    },
    truth(world) {
      const file = join(world.directory, 'package.json')
      const { name = null, license = null } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
      return { ended: true, name, license }
    },
  },
  {
    name: 'find the commit that broke it with git bisect',
    lanes: ['interactive'],
    needs: ['git'],
    prepare(world) {
      git(world, 'init', '-q', '-b', 'main')
      for (let n = 1; n <= COMMITS; n++) {
        writeFileSync(join(world.directory, 'value'), `${n} ${n >= BROKEN_SINCE ? 'broken' : 'fine'}\n`)
        git(world, 'add', '.')
        git(world, 'commit', '-q', '-m', `change ${n}`)
      }
    },
    act: bisect,
    truth: world => ({
      culprit: git(world, 'rev-parse', `main~${COMMITS - BROKEN_SINCE}`),
    }),
  },
  {
    name: 'a password that only the person types',
    lanes: ['interactive'],
    needs: ['bash'],
    async act(agent, world) {
      const asked = await agent.run(command(world, agent.lane, 'deploy', world.directory))
      if (asked.waits !== 'secret' || asked.next === null)
        return { deployed: false, refusedMe: null, knowsSecret: false }
      const mine = await agent.type(asked.session ?? '', 'letmein\n')
      const theirs = world.person.typesSecret(SECRET)
      const over = await agent.untilOver(await agent.send(asked.next))
      await theirs
      return {
        deployed: over.exitCode === 0 && over.output.includes('deployed'),
        refusedMe: mine.refused,
        knowsSecret: over.output.includes(SECRET),
      }
    },
    truth: world => ({
      deployed: existsSync(join(world.directory, 'deployed')),
      refusedMe: 'PM_TERM_INVALID_MODE',
      knowsSecret: false,
    }),
  },
]

/** Whatever a question suggests, but for the name; the licence is asked for with another default in older versions. */
function answerTo(question: string): string {
  if (/package name/.test(question)) return 'scripted-app'
  return /license/.test(question) ? 'MIT' : ''
}

/** One step after the other, as the answers say: the exit code of the check decides what git is told. */
async function bisect(agent: ScriptedAgent, world: World) {
  const at = { cwd: world.directory }
  let seen = await agent.run(`git bisect start HEAD HEAD~${COMMITS - 1}`, at)
  for (let steps = 0; steps < 8 && seen.exitCode === 0; steps++) {
    const [, culprit] = /^([0-9a-f]{40}) is the first bad commit/m.exec(seen.output) ?? []
    if (culprit !== undefined) return { culprit }
    const checked = await agent.run(command(world, agent.lane, 'check'), at)
    seen = await agent.run(`git bisect ${checked.exitCode === 0 ? 'good' : 'bad'}`, at)
  }
  return { culprit: null }
}
