import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { body, githubToken, joined, keyLines, privateKey } from '../../../test/fakes/made-up-tokens.ts'
import { Printed } from '../../../test/fakes/printed.ts'
import { usualRedactor } from '../../../test/fakes/redactors.ts'
import { systemClock } from '../../base/clock.ts'
import type { OutputOptions } from '../../contract/tool/output-options.ts'
import { Redactor } from '../secrets/redactor.ts'
import { readOutput } from './read-output.ts'

let printed: Printed
beforeEach(() => {
  printed = new Printed()
})
afterEach(() => printed.remove())

const TOKEN = githubToken()
const MARK = '[redacted: GitHub token]'
const KEY_MARK = '[redacted: private key]'
const SIZE = { cols: 40, rows: 6 }

const read = (options: OutputOptions = {}, redactor = usualRedactor()) =>
  readOutput({ source: printed.source, lost: 0, size: SIZE, clock: systemClock, redactor }, options)

/** No piece of it that anybody could use. */
function hasNoneOf(secret: string, text: string): boolean {
  for (let i = 0; i + 9 <= secret.length; i++) if (text.includes(secret.slice(i, i + 9))) return false
  return true
}

test('a token is replaced by a mark, and the answer counts it', async () => {
  printed.out(`token: ${TOKEN}\nand ${TOKEN}.\n`)
  printed.end()
  expect(await read()).toMatchObject({ stdout: `token: ${MARK}\nand ${MARK}.\n`, redacted: 2, cursor: 94 })
})

test('output without a secret has no such field', async () => {
  printed.out('nothing here\n')
  printed.end()
  expect(await read()).not.toHaveProperty('redacted')
})

test('turned off, only our own secrets are replaced', async () => {
  const own = body(43)
  printed.out(`${TOKEN} ${own}\n`)
  printed.end()
  const off = new Redactor({ shapes: 'off', own: () => [own] })
  expect(await read({}, off)).toMatchObject({
    stdout: `${TOKEN} [redacted: secret of interactive-terminal]\n`,
    redacted: 1,
  })
})

test('a ticket of the window is ours wherever it is printed', async () => {
  const ticket = joined('tk', 't_', '0123456789abcdef'.repeat(2), '.', '0123456789abcdef'.repeat(4))
  printed.out(`http://127.0.0.1:9101/#ticket=${ticket}\n`)
  printed.end()
  expect((await read()).stdout).toBe('http://127.0.0.1:9101/#ticket=[redacted: secret of interactive-terminal]\n')
})

describe('a secret does not slip through in two halves', () => {
  test('wherever a page is cut, and every cursor is as it would be without it', async () => {
    printed.out(`${'a'.repeat(70)}${' '}${TOKEN} ${'b'.repeat(70)}`)
    printed.end()
    const off = new Redactor({ shapes: 'off', own: () => [] })
    for (let size = 16; size < 100; size += 3)
      for (const format of ['text', 'raw'] as const) {
        let seen = ''
        for (let cursor = 0; cursor < printed.source.size; ) {
          const page = await read({ cursor, max_bytes: size, format })
          expect(page.cursor).toBe((await read({ cursor, max_bytes: size, format }, off)).cursor)
          seen += page.stdout ?? Buffer.from(page.base64 ?? '', 'base64').toString()
          cursor = page.cursor ?? 0
        }
        expect(hasNoneOf(TOKEN, seen)).toBe(true)
        expect(seen.replaceAll(MARK, '')).toBe(`${'a'.repeat(70)}  ${'b'.repeat(70)}`)
      }
  })

  test('where the head and the tail of a long output are cut', async () => {
    for (let shift = 0; shift < 60; shift += 4) {
      const source = new Printed()
      source.out(`${'x'.repeat(280 + shift)} ${TOKEN} ${'y'.repeat(3000)} ${TOKEN} ${'z'.repeat(560 + shift)}`)
      source.end()
      const from = { source: source.source, lost: 0, size: SIZE, clock: systemClock, redactor: usualRedactor() }
      for (const view of ['head', 'tail', 'both'] as const)
        expect(hasNoneOf(TOKEN, (await readOutput(from, { view, max_bytes: 900 })).stdout ?? '')).toBe(true)
      source.remove()
    }
  })

  test('where it was printed in chunks, with the other stream between', async () => {
    for (const char of TOKEN) {
      printed.out(char)
      printed.err('.')
    }
    printed.end()
    const { stdout, stderr, redacted } = await read()
    expect({ stdout, stderr, redacted }).toEqual({ stdout: MARK, stderr: '.'.repeat(40), redacted: 1 })
  })

  test('where colours are inside', async () => {
    printed.out(
      `\x1b[1m${TOKEN.slice(0, 9)}\x1b[31m${TOKEN.slice(9, 20)}\x1b[0m\x1b[32m${TOKEN.slice(20)}\x1b[0m end\n`,
    )
    printed.end()
    expect((await read()).stdout).toBe(`${MARK} end\n`)
    const raw = Buffer.from((await read({ format: 'raw' })).base64 ?? '', 'base64').toString()
    expect(raw).toBe(`\x1b[1m${MARK}\x1b[0m end\n`)
  })

  test('where it was drawn over something else', async () => {
    printed.out(`working...${' '.repeat(40)}\r${TOKEN.slice(0, 12)}\x1b[13G${TOKEN.slice(12)}\x1b[K\n`)
    printed.end()
    expect((await read()).stdout).toBe(`${MARK}\n`)
  })

  test('while it is still being printed', async () => {
    printed.out(`token ${TOKEN.slice(0, 25)}`)
    const first = await read({ cursor: 0 })
    expect(first).toMatchObject({ stdout: `token ${MARK}`, cursor: 31 })
    printed.out(`${TOKEN.slice(25)}\nnext\n`)
    printed.end()
    expect((await read({ cursor: 31 })).stdout).toBe(`${MARK}\nnext\n`)
  })

  test.each([
    ['the terminal', `see ${TOKEN} here\r\n`],
    ['a program that goes to the next row itself', `see ${TOKEN.slice(0, 36)}\r\n${TOKEN.slice(36)} here\r\n`],
  ])('where %s broke the line on a screen', async (_, text) => {
    printed.out(text)
    printed.end()
    const { screen, redacted } = await read({ format: 'screen' })
    expect({ text: screen?.text, redacted }).toEqual({ text: `see ${MARK}\n here`, redacted: 1 })
  })

  test('where its first half has left the screen', async () => {
    printed.out(`${'.'.repeat(20)}${TOKEN}\r\n${'line\r\n'.repeat(4)}end`)
    printed.end()
    const { screen } = await read({ format: 'screen' })
    expect(screen?.text.startsWith(MARK)).toBe(true)
    expect(hasNoneOf(TOKEN, screen?.text ?? '')).toBe(true)
  })
})

describe('a private key', () => {
  const key = privateKey(40)

  test.each([
    ['as it is', key, KEY_MARK],
    ['in a terminal', key.replaceAll('\n', '\r\n'), KEY_MARK],
    ['in JSON', JSON.stringify({ key }), `{"key":"${KEY_MARK}"}`],
    ['without its end', key.slice(0, -60), KEY_MARK],
  ])('is one mark: %s', async (_, text, shown) => {
    printed.out(`before\n${text}\nit is over\n`)
    printed.end()
    expect((await read()).stdout).toBe(`before\n${shown}\nit is over\n`)
  })

  test('is not told from any page that begins or ends within it', async () => {
    printed.out(`before\n${key}\nafter\n`)
    printed.end()
    for (let cursor = 0; cursor < printed.source.size; cursor += 97) {
      const { stdout = '' } = await read({ cursor, max_bytes: 300 })
      for (const line of keyLines(2)) expect(hasNoneOf(line, stdout)).toBe(true)
    }
  })

  test('is told neither by a search in it nor by the lines around a match', async () => {
    printed.out(`before\n${key}\nafter\n`)
    printed.end()
    const inside = await read({ search: keyLines(1)[0]?.slice(0, 12) ?? '', context_lines: 3 })
    expect(inside.matches?.length).toBeGreaterThan(0)
    for (const line of keyLines(2)) expect(hasNoneOf(line, JSON.stringify(inside))).toBe(true)
    const { matches } = await read({ search: 'after', context_lines: 3 })
    expect(matches?.[0]?.before).toEqual(['before', KEY_MARK])
  })

  test('is not on a screen of which it has half scrolled away', async () => {
    printed.out(`${privateKey(12).replaceAll('\n', '\r\n')}\r\nafter`)
    printed.end()
    const { screen } = await read({ format: 'screen' })
    for (const line of keyLines(2)) expect(hasNoneOf(line, screen?.text ?? '')).toBe(true)
    expect(screen?.text).toContain('after')
  })
})

test('a line that was searched for is redacted before it is cut, and so are the lines around it', async () => {
  printed.out(`one ${TOKEN}\n${'x'.repeat(1980)} needle ${TOKEN} ${'y'.repeat(3000)}\ntwo ${TOKEN}\n`)
  printed.end()
  const result = await read({ search: 'needle', context_lines: 1 })
  expect(hasNoneOf(TOKEN, JSON.stringify(result))).toBe(true)
  expect(result.matches?.[0]).toMatchObject({ offset: 45, before: [`one ${MARK}`], after: [`two ${MARK}`] })
  expect(result.redacted).toBe(3)
})
