import { expect, test } from 'vitest'
import { evaluate } from '../judge/evaluate.ts'

const verdict = (command: string) =>
  evaluate({ id: '', shell: 'cmd', allowlist: ['sort *', 'findstr *', 'dir *'], command, lane: 'interactive' }).verdict

test.each([
  'sort /o x y',
  'sort x /O:y',
  'SORT.exe x /output y',
  'sort /T tmp x',
  'findstr /G:\\\\evil.test\\x a',
  'findstr /f://evil.test/x a',
  'findstr /D:\\\\evil.test a b',
])('%s needs approval under an open rule', command => {
  expect(verdict(command)).toBe('approval')
})

test.each(['sort x', 'sort /r x', 'findstr /s /i /c:TODO src', 'findstr /g:words.txt a', 'dir /s'])(
  '%s runs unasked under one',
  command => {
    expect(verdict(command)).toBe('auto')
  },
)

test('in zsh a number for printf may set a variable, and then the rest of the line means something else', () => {
  const zsh = (command: string) =>
    evaluate({ id: '', shell: 'zsh', allowlist: ['printf *', 'ls *'], command, lane: 'interactive' }).verdict
  expect([zsh("printf %d 'PATH=7'; ls"), zsh("printf %d 'x++'; ls"), zsh('printf %s a; ls')]).toEqual([
    'approval',
    'approval',
    'auto',
  ])
})
