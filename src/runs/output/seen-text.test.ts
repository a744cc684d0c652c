import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type StreamText, seenTurns } from './seen-text.ts'

const seen = (text: string): string =>
  seenTurns([{ stream: 'stdout', text }])
    .map(turn => turn.text)
    .join('')

test('a progress bar is one line: the last one', () => {
  const bar = Array.from({ length: 100 }, (_, i) => `\r${'#'.repeat(i / 10)} ${i + 1} %`).join('')
  expect(seen(`begin\n${bar}\ndone\n`)).toBe('begin\n######### 100 %\ndone\n')
})

test('a spinner that erases itself leaves nothing', () => {
  const spin = [...'⠋⠙⠹⠸⠼⠴'].map(frame => `\x1b[1G\x1b[0K${frame}`).join('')
  expect(seen(`${spin}\x1b[1G\x1b[0Kadded 3 packages\n`)).toBe('added 3 packages\n')
})

test('a spinner of backspaces leaves nothing', () => {
  expect(seen('wait |\b/\b-\b\\\b done\n')).toBe('wait  done\n')
})

test('several bars that are drawn again from the top are each one line', () => {
  const frame = (a: number, b: number) => `one ${a} %\x1b[K\r\ntwo ${b} %\x1b[K\r\n`
  expect(seen(`pull\r\n${frame(0, 0)}\x1b[2A${frame(50, 10)}\x1b[2A${frame(100, 100)}ok\r\n`)).toBe(
    'pull\none 100 %\ntwo 100 %\nok\n',
  )
})

test('a shorter line drawn over a longer one leaves the rest of that to be seen', () => {
  expect(seen('downloading\rdone')).toBe('doneloading')
})

test('a full-screen program leaves what was there before it, and while it runs its screen is shown', () => {
  const editor = '\x1b[?1049h\x1b[H\x1b[2J~ a file\x1b[2;1H~ more'
  expect(seen(`$ vim\r\n${editor}`)).toBe('$ vim\n~ a file\n~ more')
  expect(seen(`$ vim\r\n${editor}\x1b[?1049lbye\r\n`)).toBe('$ vim\nbye\n')
})

test('what was cleared from the screen is not seen', () => {
  expect(seen('old\r\n\x1b[H\x1b[2J\x1b[3Jnew\r\n')).toBe('new\n')
})

test('tabs, wide characters and accents come through', () => {
  expect(seen('x\ry\ta\t日本\te\u0301\n')).toBe('y\ta\t日本\te\u0301\n')
})

test('progress on one stream does not disturb the other, and stays where it was drawn last', () => {
  const turns: StreamText[] = [
    { stream: 'stderr', text: '10 %' },
    { stream: 'stdout', text: 'line 1\n' },
    { stream: 'stderr', text: '\r20 %' },
    { stream: 'stdout', text: 'line 2\n' },
  ]
  expect(seenTurns(turns)).toEqual([
    { stream: 'stdout', text: 'line 1\n' },
    { stream: 'stderr', text: '20 %' },
    { stream: 'stdout', text: 'line 2\n' },
  ])
})

test('text without redraws is given back as it is, whatever it holds', () => {
  const safe = fc.string({ unit: 'grapheme' }).map(text => text.replace(/[\r\x08\x1b]/g, '.'))
  fc.assert(fc.property(safe, text => seen(text) === text))
})

test('no sequence, however broken, stops it or hides a line that was printed behind it', () => {
  const noise = fc.string({
    unit: fc.constantFrom('\x1b', '[', '2', '9', ';', 'A', 'H', 'J', 'K', '?', '\r', '\b', 'é'),
  })
  fc.assert(
    fc.property(noise, text => seen(`${text}\x1b[?1049l\r\n\x1b[999B\r\nthe end`).endsWith('the end')),
    { numRuns: 300 },
  )
})

test('a few bytes that jump far do not make a million lines', () => {
  expect(seen('\x1b[999B\x1b[999Cx'.repeat(1000)).length).toBeLessThan(2_000_000)
})
