import { describe, expect, test } from 'vitest'
import type { JournalKind } from '../../runs/journal/journal-row.ts'
import { predecessorIn, proofNeeded, wasKilled } from './predecessor.ts'

const journal = (rows: Partial<Record<JournalKind, Record<string, unknown>>>) => ({
  newest: (kind: JournalKind) => (rows[kind] ? [{ body: rows[kind] }] : []) as never,
})
const started = { instance_id: 'host_1', boot: 'today' }

describe('how the host before ended', () => {
  test.each([
    ['it was killed', {}, { end: 'killed', sameBoot: true }],
    ['an earlier one has ended in order', { host_ended: { instance_id: 'host_0' } }, { end: 'killed', sameBoot: true }],
    ['it was quit', { host_ended: { instance_id: 'host_1', by: 'terminal' } }, { end: 'terminal', sameBoot: true }],
    ['it was told to end', { host_ended: { instance_id: 'host_1', by: 'signal' } }, { end: 'signal', sameBoot: true }],
    ['it did not say by whom yet', { host_ended: { instance_id: 'host_1' } }, { end: 'terminal', sameBoot: true }],
  ])('%s', (_, rows, expected) => {
    expect(predecessorIn(journal({ host_started: started, ...rows }), 'today')).toEqual(expected)
  })

  test('the machine was started again since; or there was none', () => {
    expect(predecessorIn(journal({ host_started: started }), 'tomorrow')).toEqual({ end: 'killed', sameBoot: false })
    expect(predecessorIn(journal({}), 'today')).toBe(null)
  })
})

describe('A11: what whoever sits in front of the next one has to prove', () => {
  const killed = { end: 'killed', sameBoot: true } as const
  test.each([
    ['nothing, as the first of all', null, { passphrase: true, locked: true }, 'none'],
    ['the passphrase, after one that was killed', killed, { passphrase: true, locked: false }, 'passphrase'],
    [
      'the passphrase, after one that somebody told to end',
      { ...killed, end: 'signal' as const },
      { passphrase: true, locked: false },
      'passphrase',
    ],
    [
      'nothing, after one that was quit where it was started',
      { ...killed, end: 'terminal' as const },
      { passphrase: true, locked: false },
      'none',
    ],
    [
      'nothing, after a restart of the machine',
      { ...killed, sameBoot: false },
      { passphrase: true, locked: false },
      'none',
    ],
    ['nothing, without a passphrase when no terminal is left', killed, { passphrase: false, locked: false }, 'none'],
    ['that what was left ends, without a passphrase', killed, { passphrase: false, locked: true }, 'end_terminals'],
  ] as const)('%s', (_, before, now, expected) => {
    expect(proofNeeded(before, now)).toBe(expected)
  })
})

test('whoever has no passphrase is offered one when a host was killed', () => {
  expect(wasKilled({ passphrase: false, locked: false })).toMatch(/^The last host was killed.*Set a passphrase/)
  expect(wasKilled({ passphrase: true, locked: false })).not.toContain('Set a passphrase')
})
