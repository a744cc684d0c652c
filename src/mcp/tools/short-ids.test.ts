import { expect, test } from 'vitest'
import { ShortIds } from './short-ids.ts'

const RUN = 'req_0123456789abcdef0123456789abcdef'
const ALIKE = 'req_01234567ffffffffffffffffffffffff'
const TERMINAL = 'term_89abcdef0123456789abcdef01234567'
const nothing = () => Promise.resolve([])

test('an id that was told short is taken short, wherever a request names a run or a terminal', async () => {
  const ids = new ShortIds()
  expect([ids.of(RUN), ids.of(TERMINAL)]).toEqual(['req_01234567', 'term_89abcdef'])
  const flat = { action: 'read_output', session_id: 'req_01234567', cursor: 3 }
  expect(await ids.spelledOut(flat, nothing)).toEqual({ ...flat, session_id: RUN })
  const grouped = { target: { session_ids: ['req_01234567', 'mine'], terminal_id: 'term_89abcdef' } }
  expect(await ids.spelledOut(grouped, nothing)).toEqual({
    target: { session_ids: [RUN, 'mine'], terminal_id: TERMINAL },
  })
})

test('an id of the caller’s own stays as it is', async () => {
  const ids = new ShortIds()
  expect(ids.of('build:7')).toBe('build:7')
  expect(await ids.spelledOut({ session_id: 'build:7' }, nothing)).toEqual({ session_id: 'build:7' })
})

test('a command that holds a short id is not touched', async () => {
  const ids = new ShortIds()
  ids.of(RUN)
  const request = { action: 'run', command: 'req_01234567', args: ['req_01234567'] }
  expect(await ids.spelledOut(request, nothing)).toEqual(request)
})

test('after a restart a short id stands for the one run that begins so', async () => {
  const asked: string[] = []
  const known = () => Promise.resolve([RUN, TERMINAL, ...asked])
  expect(await new ShortIds().spelledOut({ session_id: 'req_01234567' }, known)).toEqual({ session_id: RUN })
})

test('two runs that begin alike are never taken for each other', async () => {
  const ids = new ShortIds()
  const request = { session_id: 'req_01234567' }
  expect(await ids.spelledOut(request, () => Promise.resolve([RUN, ALIKE]))).toEqual(request)
  expect([ids.of(RUN), ids.of(ALIKE)]).toEqual(['req_01234567', ALIKE])
})
