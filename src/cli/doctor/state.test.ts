import { expect, test } from 'vitest'
import { type DiskFacts, stateRoom } from './state.ts'

const MB = 1024 * 1024
const disk = (more: Partial<DiskFacts> = {}): DiskFacts => ({
  exists: path => path === '/home/me' || path === '/',
  access: () => {},
  free: () => 500 * MB,
  ...more,
})
const refusing = (code: string) => () => {
  throw Object.assign(new Error(code), { code })
}

test('a state directory that is not there yet is judged by where it would be made', () => {
  const asked: string[] = []
  expect(stateRoom('/home/me/.state/it', disk({ access: path => void asked.push(path) }))).toBe(
    '/home/me/.state/it, 500 MB free',
  )
  expect(asked).toEqual(['/home/me'])
})

test.each<[string, Partial<DiskFacts>, string]>([
  ['read-only', { access: refusing('EROFS') }, '/home/me is on a file system that is read-only'],
  ['somebody else’s', { access: refusing('EACCES') }, '/home/me cannot be written by you (EACCES)'],
  ['full', { free: () => 3 * MB }, 'is full: 3 MB are free. Make room.'],
])('one that is %s is not well', (_, more, words) => {
  expect(() => stateRoom('/home/me/state', disk(more))).toThrow(words)
})
