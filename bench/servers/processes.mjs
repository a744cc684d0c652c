// What the kernel says about processes. Linux only: everything is read from /proc.
import { readdirSync, readFileSync } from 'node:fs'

/** The kernel counts processor time in steps of 10 ms. */
const TICK_MS = 10

const read = file => {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    // It ended between two looks.
    return ''
  }
}

const pids = () => readdirSync('/proc').map(Number).filter(Number.isInteger)

/** After the name, which may hold anything: state, parent, group, session, … */
const stat = pid => {
  const text = read(`/proc/${pid}/stat`)
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

/** A zombie holds nothing but its number. */
const isAlive = pid => /^[^ZX]$/.test(stat(pid)[0])

const statusMb = (pid, field) =>
  Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024

export const commandLine = pid => read(`/proc/${pid}/cmdline`).split('\0').slice(0, -1)
export const cpuMs = pid => (Number(stat(pid)[11] ?? 0) + Number(stat(pid)[12] ?? 0)) * TICK_MS
/** By the scheduler's own clock, all threads, in nanoseconds' steps: for what is less than a tick. */
export function fineCpuMs(pid) {
  let nanos = 0
  try {
    for (const task of readdirSync(`/proc/${pid}/task`))
      nanos += Number(read(`/proc/${pid}/task/${task}/schedstat`).split(' ')[0] || 0)
  } catch {
    // It has ended: nothing more of it is counted.
  }
  return nanos / 1e6
}

export const childrenOf = parent => pids().filter(pid => Number(stat(pid)[1]) === parent)

export const rssMb = pid => statusMb(pid, 'VmRSS')
export const peakMb = pid => statusMb(pid, 'VmHWM')

export function descriptors(pid) {
  try {
    return readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return 0
  }
}

/** Living processes with `name=value` in their environment: children keep it whatever group or session they move to. */
export const withMark = mark =>
  pids().filter(pid => isAlive(pid) && `\0${read(`/proc/${pid}/environ`)}`.includes(`\0${mark}\0`))

/** Living `sleep <seconds>` with exactly this number. */
export const sleepers = seconds =>
  pids().filter(pid => {
    const [program, ...args] = commandLine(pid)
    return program?.endsWith('sleep') && args.join(' ') === String(seconds) && isAlive(pid)
  })

export function signalAll(list, signal) {
  for (const pid of list)
    try {
      process.kill(pid, signal)
    } catch {
      // Gone already.
    }
}
