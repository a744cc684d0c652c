// What must be right before it is fast.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bigFile, linesRead } from './big-file.mjs'

const BIG_LINES = 100_000
const TAIL_TURNS = 25
const trimmed = text => (text ?? '').trim().replaceAll('\r', '')

const NOT_SAID = 'not said'

/** Each is asked of a running server and says whether the answer was right. */
const CHECKS = {
  'exit code': async run => {
    const { exitCode } = await run('exit 7')
    return exitCode === undefined ? NOT_SAID : exitCode === 7
  },
  'stderr apart': async run => {
    const { stdout, stderr } = await run('echo out; echo err >&2')
    return trimmed(stdout) === 'out' && trimmed(stderr) === 'err'
  },
  'a killed command is no success': async run => {
    const { signal, exitCode } = await run('kill -9 $$')
    return signal || exitCode > 0 ? true : exitCode === 0 ? false : NOT_SAID
  },
  'characters across chunks': async (run, { session }) => {
    const file = join(session.home, 'euro.txt')
    writeFileSync(file, `${'€'.repeat(99)}\n`.repeat(2_000))
    const all = await session.allOf(await run(`cat ${file}`))
    return all.includes('€') && !all.includes('\uFFFD')
  },
  'the last line of a short command': async (run, { session }) => {
    const file = join(session.home, 'tail.txt')
    writeFileSync(file, `${`${'y'.repeat(99)}\n`.repeat(360)}END.\n`)
    for (let turn = 0; turn < TAIL_TURNS; turn++)
      if (!(await session.allOf(await run(`cat ${file}`))).includes('END.')) return false
    return true
  },
  'a child in the background is not waited for': async run => {
    const start = performance.now()
    const { stdout } = await run('sleep 5 & echo hi')
    return stdout.includes('hi') && performance.now() - start < 4_000
  },
  // In a terminal a program may wait for the keyboard.
  'input is at its end': async (run, { session }) =>
    session.server.isTerminal ? '–' : (await run('cat; echo after', 5_000)).stdout.includes('after'),
  '10 MB, every line': async (run, { session, scratch }) => {
    const outcome = await run(`cat ${bigFile(scratch, BIG_LINES)}`)
    return (await linesRead(session, outcome, BIG_LINES)).share === 1
  },
}

async function measure(session, { scratch }) {
  const run = (line, patienceMs = 15_000) => session.run(line, { patienceMs, wantsExit: true })
  const sample = {}
  for (const [name, check] of Object.entries(CHECKS)) {
    const verdict = await check(run, { session, scratch }).catch(() => 'no answer')
    sample[name] = verdict === true ? 'right' : verdict === false ? 'wrong' : verdict
  }
  return sample
}

export const CORRECTNESS = {
  name: 'correct',
  times: 1,
  measure,
  rows: Object.keys(CHECKS).map(name => ({
    title: name,
    as: 'text',
    of: samples => [...new Set(samples.map(sample => sample[name]))].join(' / '),
  })),
}
