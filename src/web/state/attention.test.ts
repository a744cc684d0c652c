import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Attention, attentionTo, firstUnseen, isSettled, type Noticed, notice, readiness } from './attention.ts'

const HEARD = { type: 'shown_heard', ask_id: 'ask_1', revision: 0 } as const

/** With a host that hears at once what was seen. */
function then(attention: Attention, noticed: Noticed, now: number): Attention {
  const next = notice(attention, noticed, now)
  return next.seenAt === null ? next : notice(next, HEARD, now)
}
const after = (events: readonly (readonly [number, Noticed])[]) =>
  events.reduce((attention, [now, noticed]) => then(attention, noticed, now), attentionTo('ask_1', true, 0))
const viewed = (from: number, to: number, height = 1000): Noticed => ({ type: 'viewed', from, to, height })

test('a card that fits into the window arms when it was there for a moment', () => {
  const attention = after([[10, viewed(0, 500, 500)]])
  expect([300, 409, 410].map(now => readiness(attention, now, 400))).toEqual(['arming', 'arming', 'armed'])
})

test('a long card arms only after its end was in view', () => {
  const top = after([[0, viewed(0, 500)]])
  expect(readiness(top, 5000, 400)).toBe('unseen')
  const end = then(top, viewed(500, 1000), 5000)
  expect([readiness(end, 5001, 400), readiness(end, 5400, 400)]).toEqual(['arming', 'armed'])
})

test('a yes waits until the host has heard that this very question was read', () => {
  const read = notice(attentionTo('ask_1', true, 0, 1), viewed(0, 1000), 0)
  expect(readiness(read, 60_000, 400)).toBe('arming')
  const older = notice(read, { ...HEARD, revision: 0 }, 60_000)
  expect(readiness(notice(older, { ...HEARD, ask_id: 'ask_2', revision: 1 }, 60_000), 61_000, 400)).toBe('arming')
  const heard = notice(older, { ...HEARD, revision: 1 }, 61_000)
  expect([readiness(heard, 61_399, 400), readiness(heard, 61_400, 400)]).toEqual(['arming', 'armed'])
})

test('who jumps to the end has not seen the middle', () => {
  const jumped = after([
    [0, viewed(0, 300)],
    [1, viewed(700, 1000)],
  ])
  expect([readiness(jumped, 5000, 400), firstUnseen(jumped)]).toEqual(['unseen', 300])
  expect(readiness(then(jumped, viewed(290, 710), 5000), 6000, 400)).toBe('armed')
})

test('every key starts the wait anew, so keys in flight decide nothing', () => {
  const typing = after([
    [0, viewed(0, 1000)],
    [390, { type: 'key' }],
    [700, { type: 'key' }],
  ])
  expect([readiness(typing, 1000, 400), readiness(typing, 1100, 400)]).toEqual(['arming', 'armed'])
})

test('the chord starts the wait anew until the card was armed once; after that it is only impatient', () => {
  const fresh = after([
    [0, viewed(0, 1000)],
    [300, { type: 'chord' }],
  ])
  expect([readiness(fresh, 699, 400), readiness(fresh, 700, 400)]).toEqual(['arming', 'armed'])
  const edited = after([
    [0, viewed(0, 1000)],
    [500, { type: 'armed' }],
    [600, { type: 'changed' }],
    [800, { type: 'chord' }],
    [900, { type: 'chord' }],
  ])
  expect([readiness(edited, 999, 400), readiness(edited, 1000, 400)]).toEqual(['arming', 'armed'])
})

test('what is in view of a hidden page was not seen', () => {
  const hidden = after([
    [0, { type: 'page', visible: false }],
    [1, viewed(0, 1000)],
  ])
  expect(readiness(hidden, 5000, 400)).toBe('hidden')
  const back = notice(hidden, { type: 'page', visible: true }, 6000)
  expect(readiness(back, 9000, 400)).toBe('unseen')
  expect(readiness(then(back, viewed(0, 1000), 9000), 9400, 400)).toBe('armed')
})

test('a page that comes back into view waits again', () => {
  const back = after([
    [0, viewed(0, 1000)],
    [1000, { type: 'page', visible: false }],
    [2000, { type: 'page', visible: true }],
  ])
  expect([readiness(back, 2100, 400), readiness(back, 2400, 400)]).toEqual(['arming', 'armed'])
})

test('another layout has to be seen anew until all of it was', () => {
  const turned = after([
    [0, viewed(0, 500, 1000)],
    [1, viewed(500, 1000, 2000)],
  ])
  expect(readiness(turned, 5000, 400)).toBe('unseen')
})

test('the host may ask for a longer wait, never for a shorter one', () => {
  const attention = after([[0, viewed(0, 1000)]])
  expect([isSettled(attention, 399, 0), isSettled(attention, 400, 0), isSettled(attention, 900, 1000)]).toEqual([
    false,
    true,
    false,
  ])
})

test('whatever happens: armed means seen whole, on a visible page, and no key for the arming time', () => {
  const event = fc.oneof(
    fc.record({ type: fc.constant('viewed' as const), from: fc.nat(900), to: fc.nat(1000), height: fc.constant(1000) }),
    fc.constant({ type: 'key' as const }),
    fc.record({ type: fc.constant('page' as const), visible: fc.boolean() }),
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(event, fc.nat(500)), { maxLength: 30 }), fc.nat(1000), (events, pause) => {
      let now = 0
      let attention = attentionTo('ask_1', true, 0)
      let keyAt = 0
      let visible = true
      const inView = new Set<number>()
      for (const [noticed, gap] of events) {
        now += gap
        attention = then(attention, noticed, now)
        if (noticed.type === 'key') keyAt = now
        if (noticed.type === 'page') visible = noticed.visible
        if (noticed.type === 'viewed' && visible)
          for (let at = noticed.from - 2; at <= noticed.to + 2; at++) inView.add(at)
      }
      now += pause
      if (readiness(attention, now, 400) !== 'armed') return
      const unseen = Array.from({ length: 1000 }, (_, at) => at).filter(at => !inView.has(at))
      expect({ visible, unseen, idle: now - keyAt >= 400 }).toEqual({ visible: true, unseen: [], idle: true })
    }),
  )
})
