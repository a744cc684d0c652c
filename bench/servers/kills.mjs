// Five ways to end a command, how many of its two processes survive, and how long it takes where they ignore being asked.
import { setTimeout as sleep } from 'node:timers/promises'
import { median } from './numbers.mjs'
import { signalAll, sleepers } from './processes.mjs'

const PROCESSES = 2
const WAIT_MS = 8_000

/** Each starts two `sleep` of a number of seconds that nobody else uses. */
const LINES = {
  group: seconds => `sh -c 'sleep ${seconds} & sleep ${seconds}'`,
  stubborn: seconds => `sh -c 'trap "" TERM INT HUP; sleep ${seconds} & sleep ${seconds}; sleep ${seconds}'`,
  escaped: seconds => `sh -c 'setsid sleep ${seconds} & sleep ${seconds}'`,
}
let uniqueSeconds = 100_000 + (process.pid % 1_000) * 1_000

async function until(isTrue, ms = WAIT_MS) {
  const end = Date.now() + ms
  while (!isTrue() && Date.now() < end) await sleep(5)
  return isTrue()
}

async function survivors(begin, line, end) {
  const seconds = ++uniqueSeconds
  const begun = await begin(line(seconds))
  try {
    if (!(await until(() => sleepers(seconds).length >= PROCESSES)))
      throw new Error('the command to kill did not start')
    const asked = performance.now()
    // A kill that fails shows in who survives.
    const ended = Promise.resolve(end(begun)).catch(() => {})
    await until(() => sleepers(seconds).length === 0)
    const tookMs = performance.now() - asked
    await Promise.race([ended, sleep(WAIT_MS)])
    return { count: sleepers(seconds).length, tookMs }
  } finally {
    signalAll(sleepers(seconds), 'SIGKILL')
  }
}

async function measure(session) {
  const { run, begin, kill } = session.server
  const sample = {}
  const running = line => {
    const cancel = new AbortController()
    session.run(line, { signal: cancel.signal }).catch(() => {})
    return cancel
  }
  if (begin && kill)
    for (const [name, line] of Object.entries(LINES))
      sample[name] = await survivors(
        each => session.begin(each),
        line,
        handle => session.kill(handle),
      )
  if (run) sample.cancelled = await survivors(running, LINES.group, cancel => cancel.abort())
  sample.left = await survivors(begin ? each => session.begin(each) : running, LINES.group, () =>
    session.client.close(),
  )
  return sample
}

const most = name => samples => {
  const counts = samples.map(sample => sample[name]?.count).filter(count => count !== undefined)
  return counts.length === 0 ? null : Math.max(...counts)
}

const stubbornMs = samples =>
  median(samples.map(sample => sample.stubborn?.tookMs).filter(tookMs => tookMs !== undefined))

export const KILLS = {
  name: 'kill',
  times: 3,
  measure,
  rows: [
    { title: `killed, survivors of ${PROCESSES}`, as: 'plain', of: most('group') },
    { title: '… that ignore TERM, INT and HUP', as: 'plain', of: most('stubborn') },
    { title: '… … until they are gone, ms', as: 'plain', of: stubbornMs },
    { title: '… with a session of their own', as: 'plain', of: most('escaped') },
    { title: '… request cancelled', as: 'plain', of: most('cancelled') },
    { title: '… client gone', as: 'plain', of: most('left') },
  ],
}
