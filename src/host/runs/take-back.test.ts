import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { PtyState } from '../../base/process/pty.ts'
import { openJournal } from '../../runs/journal/journal.ts'
import type { JournalKind } from '../../runs/journal/journal-row.ts'
import type { StoredRun } from '../../runs/store/ledger.ts'
import { fateOf } from './take-back.ts'

const root = mkdtempSync(join(tmpdir(), 'it-fate-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let next = 0

type Row = [kind: JournalKind, body?: Record<string, unknown>]

const P5: Row = ['pty_host_started', { pid: 5 }]
const up: PtyState = { at: 'up', pid: 5, restarts: 0 }
const never = {
  at: 'failed',
  problem: 'the host ended before it was started. Nothing ran.',
  fault: 'ours',
  endedAt: 9,
}

/** What a dead host had written, who is there now, and how the run stands then; null: lost. */
test.each<[string, Row[], PtyState, object | null]>([
  ['only received', [P5, ['received']], up, never],
  [
    'asked and not answered',
    [P5, ['received'], ['judged'], ['asked']],
    up,
    { at: 'withdrawn', by: 'host_ends', endedAt: 9 },
  ],
  [
    'declined',
    [P5, ['received'], ['asked'], ['answered', { kind: 'decline', reason: 'not now' }]],
    up,
    { at: 'declined', reason: 'not now', endedAt: 9 },
  ],
  ['approved and not started', [P5, ['received'], ['asked'], ['answered', { kind: 'approve' }]], up, never],
  ['about to start, and the same pty-host does not know it', [P5, ['received'], ['starting']], up, never],
  ['about to start, and another pty-host is there', [['received'], ['starting'], P5], up, null],
  ['about to start, and pty-host is gone', [P5, ['starting']], { at: 'starting', restarts: 0 }, null],
  ['about to start, and that was an earlier pty-host', [['pty_host_started', { pid: 4 }], ['starting']], up, null],
  ['about to be typed into a shell', [P5, ['received'], ['starting', { typed_into: 'shell' }]], up, null],
])('a run that was %s when its host died is told as it is', async (_, rows, health, state) => {
  const journal = await openJournal(join(root, `${next++}.db`), () => 1)
  for (const [kind, body = {}] of rows) journal.append({ kind, requester: 'local', runId: 'job', body })
  // Another requester's run of the same name is another run.
  journal.append({ kind: 'starting', requester: 'box', runId: 'job', body: {} })
  const deps = { journal, health: { now: () => health, watch: () => ({ dispose() {} }) }, now: () => 9 }
  const run = { opened: { id: 'job' }, started: null } as StoredRun
  expect(fateOf(deps, 'local', run)).toEqual(state)
  journal.close()
})
