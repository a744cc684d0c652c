import { expect, test } from 'vitest'
import { runsInput } from './input-reader.ts'

test.each([
  ['bash', 'shell'],
  ['-zsh', 'shell'],
  ['sh', 'shell'],
  ['python3.11', 'interpreter'],
  ['node', 'interpreter'],
  ['vim.tiny', 'interpreter'],
  ['less', 'interpreter'],
  ['ssh', 'interpreter'],
  ['cat', null],
  ['npm init', null],
  ['git', null],
  [null, null],
])('%s', (program, kind) => {
  expect(runsInput(program)).toBe(kind)
})
