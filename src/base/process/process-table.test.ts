import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { needs } from '../../../test/drivers/needs.ts'
import { systemClock } from '../clock.ts'
import { killTree, markedTree } from './kill-tree.ts'
import { processTable } from './process-table.ts'

const table = processTable(process.platform)

const ENDS_THIS_THREAD = process.arch === 'x64' ? 60 : 93
/** The kernel shows it as a zombie, and its second thread goes on. */
const PROGRAM = `use threads;
$| = 1;
threads->create(sub { sleep 30 })->detach;
print "there";
syscall(${ENDS_THIS_THREAD}, 0);`
const MARK = 'IT_MARK=of-this-test'

describe('a process whose first thread has ended', needs('threads of perl'), () => {
  let child: ChildProcess
  let pid: number
  beforeEach(async () => {
    child = spawn('perl', ['-e', PROGRAM], { detached: true, env: { ...process.env, IT_MARK: 'of-this-test' } })
    pid = child.pid ?? 0
    await once(child.stdout as NodeJS.ReadableStream, 'data')
    await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'latin1')).toContain(') Z ')
  })
  afterEach(() => child.kill('SIGKILL'))

  test('still runs, is known by its environment and ends with its tree', async () => {
    expect(table.row(pid)).toMatchObject({ pid, group: pid })
    expect(table.hasVariable(pid, 'IT_MARK')).toBe(true)
    expect(await killTree({ table, platform: process.platform, clock: systemClock }, markedTree(MARK), 1000)).toEqual(
      [],
    )
    expect(table.row(pid)).toBeNull()
  })
})
