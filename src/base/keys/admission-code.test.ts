import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  checkDigits,
  codeToShow,
  commitmentTo,
  isSameSecret,
  newOpening,
  newSecret,
  readCode,
} from './admission-code.ts'

const link = { nonce: '01'.repeat(32), opening: '02'.repeat(32), binding: '03'.repeat(32) }

test('what is shown can be typed back, in whatever groups', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999_999_999 }), number => {
      const digits = String(number).padStart(9, '0')
      const [secret, check] = [digits.slice(0, 6), digits.slice(6)]
      const shown = codeToShow(secret, check)
      for (const typed of [shown, digits, shown.replaceAll(' ', '-'), ` ${shown} `])
        expect(readCode(typed)).toEqual({ secret, check })
    }),
  )
})

test.each(['', '493 027', '493 027 11', '493 027 1180', 'four 927 118', '٤٩٣٠٢٧١١٨'])('%j is no code', typed => {
  expect(readCode(typed)).toBe(null)
})

test('both ends of one link work out the same digits; of another link, opening or nonce, others', () => {
  expect(checkDigits({ ...link })).toBe(checkDigits(link))
  const others = Array.from({ length: 200 }, (_, i) =>
    ['nonce', 'opening', 'binding'].map(name => checkDigits({ ...link, [name]: `${i}` })),
  ).flat()
  const same = others.filter(digits => digits === checkDigits(link))
  expect(others.every(digits => /^\d{3}$/.test(digits))).toBe(true)
  expect(same.length).toBeLessThan(10)
})

test('an opening is bound by its commitment, and secrets are six digits that nobody foresees', () => {
  const opening = newOpening()
  expect([commitmentTo(opening) === commitmentTo(newOpening()), isSameSecret('493027', '493028')]).toEqual([
    false,
    false,
  ])
  const secrets = Array.from({ length: 100 }, newSecret)
  expect([secrets.every(secret => /^\d{6}$/.test(secret)), new Set(secrets).size > 95]).toEqual([true, true])
})
