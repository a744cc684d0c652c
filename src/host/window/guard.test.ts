import { expect, test } from 'vitest'
import { webGuard } from './guard.ts'

/** As a browser asks for the feed under this name. */
const asked = (host: string, origin = `http://${host}`) => {
  const headers = { host, origin, 'sec-fetch-site': 'same-origin' }
  return { method: 'GET', headers, rawHeaders: Object.entries(headers).flat() }
}
const own = webGuard(9101)
const forwarded = webGuard(9101, 'forwarded')

test.each(['localhost:9101', 'localhost:45678', '127.0.0.1:9101', '127.0.0.1:1'])(
  'a forwarded page may be on %s',
  host => {
    expect(forwarded.upgrade(asked(host))).toBe(null)
  },
)

test('a page that nobody forwards is on its own port and name', () => {
  expect(own.upgrade(asked('localhost:9101'))).toBe(null)
  for (const host of ['localhost:9102', '127.0.0.1:9101'])
    expect(own.upgrade(asked(host))).toMatchObject({ status: 421 })
})

test.each([
  'evil.test:9101',
  'localhost.evil.test:9101',
  'localhost',
  'localhost:',
  'localhost:0',
  'localhost:65536',
  'localhost:9101.evil.test',
  '127.0.0.2:9101',
  '[::1]:9101',
  'user@localhost:9101',
  'LOCALHOST:9101',
  '0x7f000001:9101',
])('no other name is served, and it is said how to forward: %s', host => {
  expect(forwarded.upgrade(asked(host))).toEqual({
    status: 421,
    message: expect.stringContaining('ssh -L 9101:localhost:9101'),
  })
})

test.each([
  'http://localhost:3000',
  'https://localhost:9101',
  'http://127.0.0.1:9101',
  'http://evil.test',
  'null',
  'https://name-9101.app.github.dev',
])('a page of another origin opens no feed: %s', origin => {
  expect(forwarded.upgrade(asked('localhost:9101', origin))).toMatchObject({ status: 403 })
})

test('neither does a page that browsers say is another site, nor one without an origin', () => {
  const cross = asked('localhost:9101')
  expect(forwarded.upgrade({ ...cross, headers: { ...cross.headers, 'sec-fetch-site': 'same-site' } })).toMatchObject({
    status: 403,
  })
  const { origin: _, ...headers } = cross.headers
  expect(forwarded.upgrade({ ...cross, headers })).toMatchObject({ status: 403 })
})
