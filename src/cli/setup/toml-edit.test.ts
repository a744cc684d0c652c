import { expect, test } from 'vitest'
import { removeTomlKey, removeTomlTable, setTomlKey, setTomlTable, tomlKey } from './toml-edit.ts'

const FILE = `model = "o" # mine
text = """
[no.table]
"""
list = [
  "a", # first
  "b",
]

[features]
# what I like
web = true

[mcp_servers."other"]
command = "x"
`
const OURS = ['[mcp_servers.ours]', 'command = "node"']

test('a table is put at the end, replaced, and taken out again', () => {
  const added = setTomlTable(FILE, 'mcp_servers.ours', OURS)
  expect(added).toBe(`${FILE}\n[mcp_servers.ours]\ncommand = "node"\n`)
  expect(setTomlTable(added, 'mcp_servers.ours', [...OURS, 'args = []'])).toBe(
    `${FILE}\n[mcp_servers.ours]\ncommand = "node"\nargs = []\n`,
  )
  expect(removeTomlTable(added, 'mcp_servers.ours')).toBe(FILE)
  expect(setTomlTable('', 'a', ['[a]'])).toBe('[a]\n')
})

test('a table is found however its name is quoted', () => {
  expect(setTomlTable(FILE, 'mcp_servers.other', ['[mcp_servers.other]'])).toContain(
    'web = true\n\n[mcp_servers.other]\n',
  )
})

test('a key is set where its table is, and taken out again', () => {
  const added = setTomlKey(FILE, 'features', 'shell_tool', 'false')
  expect(added).toBe(FILE.replace('[features]\n', '[features]\nshell_tool = false\n'))
  expect(tomlKey(added, 'features', 'shell_tool')).toBe('false')
  expect(removeTomlKey(added, 'features', 'shell_tool')).toBe(FILE)
  expect(setTomlKey(FILE, 'features', 'web', 'false')).toContain('# what I like\nweb = false\n')
})

test.each([
  ['a = "x', 'line 1: the value is not closed'],
  ['a = 1\nlist = [\n 1,', 'line 2: the value is not closed'],
  ['half a line', 'line 1: half a line is no TOML'],
  ['a =', 'line 1: a has no value'],
  ['[features\na = 1', 'line 1: [features is no TOML'],
])('%j is no text to change', (text, problem) => {
  expect(() => setTomlTable(text, 'mcp_servers.ours', OURS)).toThrow(problem)
})

test.each(['features.shell_tool = true', 'features = { web = true }'])('%s is left to a person', line => {
  expect(() => setTomlKey(`${line}\n`, 'features', 'shell_tool', 'false')).toThrow('by hand')
})

test('servers in one line are left to a person', () => {
  expect(() => setTomlTable('mcp_servers = { x = { command = "y" } }\n', 'mcp_servers.ours', OURS)).toThrow('by hand')
})
