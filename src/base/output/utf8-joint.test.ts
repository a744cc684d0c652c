import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Utf8Joint } from './utf8-joint.ts'

/** Cuts bytes into chunks at the given places. */
const chunksOf = (bytes: Buffer, cuts: readonly number[]): Buffer[] => {
  const at = [0, ...cuts.map(cut => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  return at.slice(1).map((end, i) => bytes.subarray(at[i], end))
}

test('text cut anywhere comes out in whole characters, and all of it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.array(fc.nat()), (text, cuts) => {
      const joint = new Utf8Joint()
      const parts = [...chunksOf(Buffer.from(text), cuts).map(chunk => joint.push(chunk)), joint.end()]
      expect(parts.map(part => part.toString('utf8')).join('')).toBe(Buffer.from(text).toString('utf8'))
    }),
  )
})

test('bytes that are no text at all pass unchanged', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.array(fc.nat()), (bytes, cuts) => {
      const joint = new Utf8Joint()
      const parts = [...chunksOf(Buffer.from(bytes), cuts).map(chunk => Buffer.from(joint.push(chunk))), joint.end()]
      expect(Buffer.concat(parts)).toEqual(Buffer.from(bytes))
    }),
  )
})

test('never more than three bytes wait', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 50 }), bytes => {
      expect(bytes.length - new Utf8Joint().push(Buffer.from(bytes)).length).toBeLessThanOrEqual(3)
    }),
  )
})
