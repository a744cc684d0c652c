import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addJson, jsonAt, removeItem, removeJson, setJson } from './json-edit.ts'
import { readJson } from './json-nodes.ts'

const COMMENTED = `// mine
{
    "theme": "dark", // at night
    /* servers */
    "mcpServers": {
        "other": { "command": "x" } // keep
    },
}
`

test('a value is put in, and everything else stays: comments, indents, a comma at the end', () => {
  expect(setJson(COMMENTED, ['mcpServers', 'ours'], { command: 'node', args: ['a'] })).toBe(`// mine
{
    "theme": "dark", // at night
    /* servers */
    "mcpServers": {
        "other": { "command": "x" }, // keep
        "ours": {
            "command": "node",
            "args": [
                "a"
            ]
        }
    },
}
`)
})

test.each([
  ['an empty file', '', ['a', 'b'], 1, '{\n  "a": {\n    "b": 1\n  }\n}\n'],
  ['an empty object', '{}', ['a'], 1, '{\n  "a": 1\n}'],
  ['one line', '{"a": {"x": 1}}', ['a', 'y'], 2, '{"a": {"x": 1, "y": 2}}'],
  ['another value', '{ "a": [1, 2], "b": 3 }', ['a'], 'new', '{ "a": "new", "b": 3 }'],
  ['the same value', '{ "a":[1,2] }', ['a'], [1, 2], '{ "a":[1,2] }'],
  [
    'line ends of Windows',
    '{\r\n\t"a": 1\r\n}\r\n',
    ['b'],
    { c: 2 },
    '{\r\n\t"a": 1,\r\n\t"b": {\r\n\t\t"c": 2\r\n\t}\r\n}\r\n',
  ],
  ['a comma at the end', '{\n  "a": 1,\n}', ['b'], 2, '{\n  "a": 1,\n  "b": 2,\n}'],
] as const)('%s', (_, before, path, value, after) => {
  expect(setJson(before, path, value)).toBe(after)
})

test('texts are added to a list once', () => {
  const once = addJson('{\n  "deny": ["Read"]\n}', ['deny'], ['Bash', 'Read'])
  expect(once).toBe('{\n  "deny": ["Read", "Bash"]\n}')
  expect(addJson(once, ['deny'], ['Bash'])).toBe(once)
  expect(addJson('{}', ['permissions', 'deny'], ['Bash'])).toBe(
    '{\n  "permissions": {\n    "deny": [\n      "Bash"\n    ]\n  }\n}',
  )
})

test('what was put in is taken out, and a comment of others stays', () => {
  const added = setJson(COMMENTED, ['mcpServers', 'ours'], 1)
  expect(removeJson(added, ['mcpServers', 'ours'])).toBe(COMMENTED)
  expect(removeItem('{"a": ["x", "y", "z"]}', ['a'], 'y')).toBe('{"a": ["x", "z"]}')
  expect(removeItem('{"a": ["x"]}', ['a'], 'x')).toBe('{"a": []}')
})

test.each([
  ['{"a": ', 'line 1: the file ends too early'],
  ['{\n"a": 1\n"b": 2}', 'line 3: a comma or } is missing'],
  ['{"a": "x', 'line 1: a quote is not closed'],
  ['{} {}', 'line 1: something stands behind the end'],
  ['{"a": 1', 'line 1: the file ends too early'],
  ['{"mcpServers": "none"}', 'line 1: mcpServers is no object'],
])('%s is no text to change', (text, problem) => {
  expect(() => setJson(text, ['mcpServers', 'ours'], 1)).toThrow(problem)
})

test('whatever the file holds, it holds that and ours afterwards, and without ours what it held', () => {
  const key = fc.stringMatching(/^[a-z]{1,6}$/).filter(name => name !== 'ours')
  const file = fc.dictionary(key, fc.jsonValue())
  fc.assert(
    fc.property(file, fc.constantFrom(0, 2, '\t'), (value, indent) => {
      const text = JSON.stringify(value, null, indent)
      const changed = setJson(text, ['ours', 'deep'], [1])
      expect(readJson(changed).value).toEqual(JSON.parse(JSON.stringify({ ...value, ours: { deep: [1] } })))
      expect(jsonAt(changed, ['ours', 'deep'])).toEqual([1])
      expect(readJson(removeJson(changed, ['ours'])).value).toEqual(JSON.parse(text))
    }),
  )
})
