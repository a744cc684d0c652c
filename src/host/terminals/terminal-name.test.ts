import { expect, test } from 'vitest'
import { agentName, folderOf, terminalName } from './terminal-name.ts'

test('a terminal is called after who runs there and where', () => {
  expect(terminalName({ asker: 'Claude Code', folder: '/home/ada/work/shop', number: 1 })).toBe('Claude Code · shop')
  expect(terminalName({ asker: 'Claude Code', folder: '/home/ada/work/shop', number: 2 })).toBe('Claude Code · shop 2')
  expect(terminalName({ asker: 'You', folder: '/', number: 1 })).toBe('You · /')
})

test('a long name is cut, so that a person can still read where it is', () => {
  const name = terminalName({ asker: 'a'.repeat(100), folder: `/${'b'.repeat(100)}`, number: 12 })
  expect(name.length).toBeLessThanOrEqual(80)
  expect(name).toMatch(/^a+… · b+… 12$/)
})

test.each([
  ['Claude Code (claude-code 2.1.325)', 'Claude Code'],
  ['codex-mcp-client 0.166.0', 'codex-mcp-client'],
  ['my agent', 'my agent'],
  ['1.0', '1.0'],
  ['', 'an agent'],
  ['You 1.0', '“You”'],
])('%j is called %j', (client, name) => {
  expect(agentName(client)).toBe(name)
})

test('the folder is the last part of the directory', () => {
  expect([folderOf('/work/shop'), folderOf('/work/shop/'), folderOf('/')]).toEqual(['shop', 'shop', '/'])
})
