import { expect, test } from 'vitest'
import { linkFacts } from './link-facts.ts'

test('an address that is what the person reads is opened as it stands', () => {
  expect(linkFacts('https://example.com/a?b=1#c', 'https://example.com/a?b=1#c')).toEqual({
    href: 'https://example.com/a?b=1#c',
    host: 'example.com',
    isPlain: true,
  })
})

test.each([
  ['another address than the text names', 'https://evil.example/', 'https://bank.example/'],
  ['words instead of an address', 'https://example.com/', 'click here'],
  ['letters of another script', 'https://аpple.com/', 'https://аpple.com/'],
  ['their plain form', 'https://xn--pple-43d.com/', 'https://xn--pple-43d.com/'],
  ['a name before the host', 'https://bank.example@evil.example/', 'https://bank.example@evil.example/'],
  ['a sign that turns the rest round', 'https://example.com/\u202egnp', 'https://example.com/\u202egnp'],
])('%s is looked at first', (_, uri, text) => {
  expect(linkFacts(uri, text)).toMatchObject({ isPlain: false })
})

test('whose it is stands there in plain letters', () => {
  expect(linkFacts('https://аpple.com/', 'x')?.host).toBe('xn--pple-43d.com')
})

test.each(['javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,x', 'vscode://x', 'https://', 'http://['])(
  '%s is no link',
  uri => {
    expect(linkFacts(uri, uri)).toBeNull()
  },
)
