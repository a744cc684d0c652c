import { expect, test } from 'vitest'
import { readSettings } from '../config/settings.ts'
import type { TimeChoice } from '../contract/window/window-preferences.ts'
import { HostTimes } from './host-times.ts'

const NONE: Record<TimeChoice, number | null> = { question_wait_s: null, idle_tabs_s: null, idle_host_s: null }
const timesWith = (chosen: Partial<typeof NONE>, env: Record<string, string> = {}) => {
  const now = { ...NONE, ...chosen }
  const { configuration } = readSettings({ flags: {}, env: { PM_TERM_HOME: '/nowhere', ...env } })
  return { now, times: new HostTimes(configuration, { now, watch: () => ({ dispose() {} }) }) }
}

test('a chosen time counts at once, and without a choice the usual one does', () => {
  const { now, times } = timesWith({})
  expect([times.patienceMs, times.idleTabsMs, times.idleHostMs]).toEqual([300_000, 600_000, 300_000])
  now.question_wait_s = 60
  now.idle_tabs_s = 0
  expect([times.patienceMs, times.idleTabsMs]).toEqual([60_000, 0])
})

test('what this host was started with wins over a choice, and is named', () => {
  const { times } = timesWith({ question_wait_s: 60, idle_tabs_s: 60 }, { PM_TERM_APPROVAL_TIMEOUT_MS: '90000' })
  expect([times.patienceMs, times.idleTabsMs]).toEqual([90_000, 60_000])
  expect(times.inForce()).toMatchObject({
    question_wait_s: { seconds: 90, usual_seconds: 90, fixed_by: 'PM_TERM_APPROVAL_TIMEOUT_MS' },
    idle_tabs_s: { seconds: 60, usual_seconds: 600, fixed_by: null },
  })
})
