import { beforeEach, expect, test } from 'vitest'
import { FakeClock } from '../../../test/fakes/fake-clock.ts'
import { randomIds } from '../../base/ids.ts'
import { readCode } from '../../base/keys/admission-code.ts'
import { type AdmissionNews, ApproverAdmissions } from './admissions.ts'

const newcomer = { name: 'ada', surface: 'terminal', process: { pid: 4711, program: '/usr/bin/node' } } as const
let clock: FakeClock
let admissions: ApproverAdmissions
let heard: AdmissionNews[]
let ended: string[]

beforeEach(() => {
  clock = new FakeClock()
  admissions = new ApproverAdmissions({ clock, ids: randomIds() })
  heard = []
  ended = []
  admissions.listen(news => heard.push(news), 'window')
})

const show = () => admissions.show(newcomer, '118', outcome => ended.push(outcome))
const told = (type: AdmissionNews['type']) => heard.filter(news => news.type === type)
const lastAsked = () => heard.findLast(news => news.type === 'admission_asked')
const secretShown = () => readCode(lastAsked()?.code ?? '')?.secret ?? ''
const wrong = () => String((Number(secretShown()) + 1) % 1_000_000).padStart(6, '0')

test('the code that is shown lets in, once', () => {
  const code = show()
  expect(lastAsked()).toMatchObject({ ...newcomer, code: expect.stringMatching(/^\d{3} \d{3} 118$/) })
  expect([code?.enter(wrong()), code?.enter(secretShown()), code?.enter(secretShown())]).toEqual([
    'wrong',
    'right',
    'cut',
  ])
  expect(told('admission_over')).toMatchObject([{ outcome: 'admitted' }])
})

test('a code is worth nothing after a minute', async () => {
  const code = show()
  await clock.advance(59_999)
  expect(ended).toEqual([])
  await clock.advance(1)
  expect([ended, code?.enter(secretShown())]).toEqual([['expired'], 'cut'])
})

test('three wrong ones are an alarm, and for a minute nobody is shown a code', async () => {
  const code = show()
  expect([code?.enter(wrong()), code?.enter(wrong()), code?.enter(wrong())]).toEqual(['wrong', 'wrong', 'cut'])
  expect(told('alarm')).toMatchObject([{ message: expect.stringContaining('pid 4711, /usr/bin/node') }])
  expect([code?.enter(secretShown()), show()]).toEqual(['cut', null])
  await clock.advance(60_000)
  expect(show()).not.toBe(null)
})

test('a person who says that it is not them ends it', () => {
  const code = show()
  admissions.refuse(lastAsked()?.admission_id ?? '')
  expect([ended, told('admission_over'), code?.enter(secretShown()), show()]).toMatchObject([
    ['refused'],
    [{ outcome: 'refused' }],
    'cut',
    null,
  ])
})

test('an approver who comes while a code is shown sees it, with the time that is left', async () => {
  show()
  await clock.advance(20_000)
  const late: AdmissionNews[] = []
  admissions.listen(news => late.push(news), 'window')
  expect(late).toEqual([{ ...lastAsked(), expires_in_ms: 40_000 }])
})

test('only so many ask at once, and whoever leaves makes room', () => {
  const shown = Array.from({ length: 5 }, show)
  expect(shown.map(code => code !== null)).toEqual([true, true, true, true, false])
  shown[0]?.leave()
  expect(show()).not.toBe(null)
  expect(clock.pending).toBe(4)
})

test('a crowd that proves nothing does not lock out whoever comes last', () => {
  const cut: number[] = []
  for (let i = 0; i < 34; i++) {
    const here = admissions.enter(() => {
      cut.push(i)
      here.dispose()
    })
  }
  expect(cut).toEqual([0, 1])
})

test('an alarm that nobody was there to hear is heard by whoever comes, until one of them is a window', () => {
  const deaf = new ApproverAdmissions({ clock, ids: randomIds() })
  const alarmsFor = (surface: 'terminal' | 'window') => {
    const news: AdmissionNews[] = []
    deaf.listen(each => news.push(each), surface).dispose()
    return news.map(each => (each.type === 'alarm' ? each.message : each.type))
  }
  deaf.alarm('The last host was killed.')
  expect([alarmsFor('terminal'), alarmsFor('terminal'), alarmsFor('window'), alarmsFor('window')]).toEqual([
    ['The last host was killed.'],
    ['The last host was killed.'],
    ['The last host was killed.'],
    [],
  ])
})
