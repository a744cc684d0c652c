import { expect, test } from 'vitest'
import type { ActivityItem } from '../../contract/window/activity-frames.ts'
import { activityGroups, activityRemark } from './activity-words.ts'

const item = (kind: ActivityItem['kind'], more: Partial<ActivityItem> = {}): ActivityItem => ({
  requester: 'local',
  run_id: `req_${kind}`,
  kind,
  lane: 'interactive',
  client: 'an agent',
  command: 'ls',
  cwd: '/w',
  why: null,
  exit_code: null,
  times: 1,
  at: '2026-11-15T21:00:00.000Z',
  can_ask: false,
  can_rule: false,
  ...more,
})

test('what was refused comes before what ran, and an empty group is not shown', () => {
  expect(
    activityGroups([item('by_rule'), item('blocked'), item('by_rule')]).map(({ kind, items }) => [kind, items.length]),
  ).toEqual([
    ['blocked', 1],
    ['by_rule', 2],
  ])
})

test.each([
  [item('blocked', { why: 'no rule covers it', times: 3 }), '3 times · no rule covers it'],
  [item('expired'), ''],
  [item('withdrawn', { why: 'asker_gone' }), 'the agent is gone'],
  [item('headless', { why: 'ls *', exit_code: 2 }), 'exit code 2 · rule ls *'],
  [item('by_rule', { why: 'ls *', exit_code: 0 }), 'rule ls *'],
])('an item says how it went', (given, words) => {
  expect(activityRemark(given)).toBe(words)
})
