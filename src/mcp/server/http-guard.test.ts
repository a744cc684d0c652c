import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { httpGuard } from './http-guard.ts'

const TOKEN = 'a'.repeat(43)
const guard = httpGuard({ token: TOKEN, port: 3000 })
const asked = (headers: object, rawHeaders: readonly string[] = []) => ({ headers, rawHeaders }) as IncomingMessage
const GOOD = { host: '127.0.0.1:3000', authorization: `Bearer ${TOKEN}` }
const statusOf = (headers: Record<string, string | undefined>): number => guard.whole(asked(headers))?.status ?? 200

test('who holds the token and calls the right address comes in', () => {
  expect(statusOf(GOOD)).toBe(200)
  expect(statusOf({ ...GOOD, host: 'localhost:3000' })).toBe(200)
})

test('a container is called by the name and port it was published under, and by no other', () => {
  const published = httpGuard({ token: TOKEN, port: 3000, hosts: ['127.0.0.1:8080', 'box:3000'] })
  const status = (headers: object) => published.whole(asked(headers))?.status ?? 200
  expect(
    ['127.0.0.1:8080', 'box:3000', 'localhost:3000', 'box:8080', 'box'].map(host => status({ ...GOOD, host })),
  ).toEqual([200, 200, 200, 403, 403])
  expect(status({ ...GOOD, host: 'box:3000', origin: 'http://127.0.0.1:8080' })).toBe(200)
  expect(status({ ...GOOD, host: 'box:3000', origin: 'http://evil.test' })).toBe(403)
})

test('§3: the word “bearer” may be written in any case of letters', () => {
  const written = ['bearer', 'BEARER', 'BeArEr'].map(word => statusOf({ ...GOOD, authorization: `${word} ${TOKEN}` }))
  expect(written).toEqual([200, 200, 200])
})

test.each(['Host', 'HOST', 'Origin', 'Authorization'])('§3: a request with two %s headers is refused', name => {
  expect(guard.whole(asked(GOOD, [name, 'a', name.toLowerCase(), 'b']))?.status).toBe(400)
})

test('§3: whether it lives is told under our own names only, without a token', () => {
  expect(guard.place(asked({ host: '127.0.0.1:3000' }))).toBe(null)
  expect(guard.place(asked({ host: 'evil.test:3000' }))?.status).toBe(403)
  expect(guard.place(asked({ host: '127.0.0.1:3000', origin: 'http://evil.test' }))?.status).toBe(403)
})

test.each(['http://127.0.0.1:3000', 'http://localhost:3000'])('a page of our own address %s may ask', origin => {
  expect(statusOf({ ...GOOD, origin })).toBe(200)
})

describe('a name that was made to point here is not served, whatever the token', () => {
  test.each([
    undefined,
    '',
    'evil.test',
    'evil.test:3000',
    '127.0.0.1',
    '127.0.0.1:3001',
    '127.0.0.1:3000.evil.test',
    'LOCALHOST.evil.test:3000',
    '0.0.0.0:3000',
    '[::1]:3000',
    '127.0.0.1:3000, evil.test',
  ])('%s', host => {
    expect(statusOf({ ...GOOD, host })).toBe(403)
  })
})

describe('a page of another site may not ask, whatever the token', () => {
  test.each([
    '',
    'null',
    'http://evil.test',
    'https://127.0.0.1:3000',
    'http://127.0.0.1',
    'http://127.0.0.1:3001',
    'http://127.0.0.1:3000.evil.test',
    'http://localhost:3000/',
    'vscode-webview://x',
  ])('%s', origin => {
    expect(statusOf({ ...GOOD, origin })).toBe(403)
  })
})

describe('without the token nobody comes in', () => {
  test.each([
    undefined,
    '',
    TOKEN,
    'Bearer',
    'Bearer ',
    `bearer ${TOKEN}x`,
    `Bearer ${TOKEN.slice(1)}`,
    `Bearer ${TOKEN}b`,
    `Bearer ${TOKEN} `,
    `Bearer  ${TOKEN}`,
    `Basic ${TOKEN}`,
    `Bearer ${'a'.repeat(100_000)}`,
  ])('%s', authorization => {
    expect(statusOf({ ...GOOD, authorization })).toBe(401)
  })
})

test('a refusal does not tell the token', () => {
  const told = JSON.stringify(guard.whole(asked({ host: GOOD.host })))
  expect(told).not.toContain(TOKEN)
})
