// The part of the day in the agent's own terminal: three interrupts and a plain call on both sides of them. What the model is told
// about an interrupted call comes from the agent; whether it is so is looked up on the machine.
import { AgentTerminal, pause, until } from './agent-terminal.mjs'
import { asked, headless } from './day-calls.mjs'
import { processes } from './day-processes.mjs'

const PROMPT = 'Please go on with the list.'
/** What is still going on this long after an interrupt goes on. */
const SETTLED_MS = 5000

export async function interrupts(day) {
  const { window, asksItself } = day.kind
  const { dir, facts } = day.project
  const terminal = new AgentTerminal(day.executable, window.args, { cwd: dir, env: day.env })
  const serverRuns = () =>
    processes().some(({ line }) => / mcp$/.test(line) && line.includes('interactive-terminal.cjs'))
  /** Types a prompt and waits until `isSo`; the agent's own permission is answered, and counted. */
  const prompt = async (calls, isSo) => {
    const phase = day.model.begin(day.script(calls))
    let over = false
    phase.done.then(() => {
      over = true
    })
    await terminal.enter(PROMPT)
    const came = await until(async () => {
      if (asksItself.test(lastScreen(terminal))) {
        day.doublePrompts += 1
        terminal.type('\r')
        await until(() => !asksItself.test(lastScreen(terminal)), 5000)
      }
      if (lastLines(terminal).includes(PROMPT)) {
        await pause(500)
        if (lastLines(terminal).includes(PROMPT)) terminal.type('\r')
      }
      return isSo ? isSo() : over
    }, 60_000)
    if (!came) throw new Error(`in its terminal the agent never came so far\n${terminal.text.slice(-4000)}`)
    return phase
  }
  const interrupt = async phase => {
    for (const key of window.interrupt) {
      terminal.type(key)
      await pause(300)
    }
    phase.giveUp()
  }
  try {
    await terminal.sees(window.ready, 120_000)
    // Some take no tool into a conversation that began before its server was there.
    await until(serverRuns, 20_000)
    await pause(3000)
    await prompt([{ ...headless('pwd'), check: told => ({ right: told.text.includes(dir) }) }])

    // While the person is still asked.
    let phase = await prompt([interrupted(asked('node note.cjs late'))], () => day.asks('node note.cjs late'))
    await interrupt(phase)
    await pause(SETTLED_MS)

    // While a command runs that needed nobody.
    phase = await prompt([interrupted(headless('npm run long -- third 40'))], () => facts.of('third-began'))
    // A question that is still open, and does not say that its asker has gone on, is answered in good faith.
    // (A card that has just come to say so has to be read anew.)
    if (await until(() => day.asks('node note.cjs late'), 3000)) {
      if (GONE.test(day.person.screen)) await day.person.declines('node note.cjs late', 'nobody waits for it')
      else await day.person.approves('node note.cjs late')
      if (await until(() => facts.of('late'), SETTLED_MS)) day.wrong.push('late: told it was interrupted, ran later')
    }
    await interrupt(phase)
    await pause(SETTLED_MS)
    goneOn(day, facts, 'third')

    // While a command runs that the person has approved.
    phase = await prompt([interrupted(asked('node long.cjs fourth 40'))], async () => {
      if (day.asks('node long.cjs fourth')) await day.person.approves('node long.cjs fourth')
      return facts.of('fourth-began')
    })
    await interrupt(phase)
    await pause(SETTLED_MS)

    await prompt([
      {
        ...headless('pwd'),
        check: told => {
          // It runs on, which is as meant; the next answer may say so, and then nobody believes otherwise.
          if (!/fourth/.test(told.text)) goneOn(day, facts, 'fourth')
          return { right: told.text.includes(dir) }
        },
      },
    ])
  } finally {
    if (process.env.DAY_SHOWS) console.error(terminal.text.slice(-3000))
    await terminal.ends('SIGHUP')
    await day.looksForLeft('after the agent’s terminal was closed')
  }
}

const GONE = /gone on|has left|no longer waits|is gone|went away/i

/** What stands in the agent's input, if a key for the end of a line came too soon. */
const lastLines = terminal => terminal.text.split('\n').slice(-5).join('\n')

const lastScreen = terminal => terminal.text.split('\n').slice(-40).join('\n')

/** Whatever the agent tells the model about it, it is no answer of ours. */
const interrupted = call => ({ ...call, check: () => ({ right: true }) })

function goneOn(day, facts, name) {
  const { pid } = facts.of(`${name}-began`) ?? {}
  if (facts.of(name) || (pid && alive(pid))) day.wrong.push(`${name}: told it was interrupted, runs on`)
}

function alive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
