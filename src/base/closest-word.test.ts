import { expect, test } from 'vitest'
import { closestWord } from './closest-word.ts'

const COMMANDS = ['approve', 'attach', 'doctor', 'runs', 'verify', 'policy', 'pair', 'mcp']

test.each([
  ['aprove', 'approve'],
  ['dcotor', 'doctor'],
  ['run', 'runs'],
  ['Policy', 'policy'],
  ['polycy', 'policy'],
])('"%s" was meant to be "%s"', (typed, meant) => {
  expect(closestWord(typed, COMMANDS)).toBe(meant)
})

test.each(['frobnicate', 'x', '', 'status'])('"%s" is close to nothing, so nothing is suggested', typed => {
  expect(closestWord(typed, COMMANDS)).toBeNull()
})
