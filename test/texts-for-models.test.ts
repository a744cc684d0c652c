import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { ERRORS } from '../src/contract/tool/errors.ts'
import { waysOut } from '../src/contract/tool/in-container.ts'
import { AnyResponse } from '../src/contract/tool/response.ts'
import { presentText } from '../src/mcp/answers/present-text.ts'
import { DEFAULT_ROWS } from '../src/policy/files/default-rules.ts'
import { EXAMPLES } from './fakes/examples.ts'

/** What a model reads is not said to the person, is said once, and no sentence is put into another. */
const ANSWERS = [...EXAMPLES]
  .filter(([name]) => name.endsWith('.response') && !name.startsWith('editor-'))
  .map(([name, answer]) => ({ name, answer: AnyResponse.parse(answer) }))

/** The editor's tool has an answer of its own, without a short text. */
const EDITOR_ANSWERS = [...EXAMPLES].filter(([name]) => /^editor-.*\.response$/.test(name))

/** "Did you mean" is said to whoever sent the request. */
const toSomebody = (text: string): boolean =>
  /\b(?:you|your|yours|yourself)\b/i.test(text.replaceAll(/did you mean/gi, ''))

const stringsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : value && typeof value === 'object'
      ? Object.values(value).flatMap(stringsIn)
      : []

test.each(ANSWERS)('$name speaks to nobody but its caller', ({ answer }) => {
  expect([...stringsIn(answer), presentText(answer)].filter(toSomebody)).toEqual([])
})

test.each(EDITOR_ANSWERS)('%s speaks to nobody but its caller', (_, answer) => {
  expect(stringsIn(answer).filter(toSomebody)).toEqual([])
})

test('neither does any advice, reason of a default rule, or way out of a container', () => {
  const advice = Object.values(ERRORS).flatMap(row => stringsIn(row))
  const texts = [...advice, ...DEFAULT_ROWS.map(({ why }) => why), ...stringsIn(waysOut('x'))]
  expect(texts.filter(toSomebody)).toEqual([])
})

/** Rooms whose texts reach a model, but for what only people read. */
const ROOMS = ['base', 'contract', 'mcp', 'policy', 'runs', 'host']
const FOR_PEOPLE: readonly [file: RegExp, why: string][] = [
  [/^host\/(approvers|window|screen)\//, 'said to whoever answers'],
  [/^host\/(open-decisions|host-decisions)\.ts$/, 'an alarm for whoever answers, or on a card'],
  [/^host\/(outside\/found-rows|questions\/rule-file-additions)\.ts$/, 'on a card'],
  [/^host\/(pages\/|gate\/rule-for\.ts$)/, 'on a page of the window, or on the card of what is asked for there'],
  [/^host\/clients\/host-status\.ts$/, 'printed by status'],
  [/^mcp\/asking\/window-pointers\.ts$/, 'shown to the person by their client'],
  [/^host\/terminals\/shell-scripts\.ts$/, 'in files of ours'],
  [/^host\/terminals\/terminal-name\.ts$/, 'the name of a shell that no agent sees'],
  [/^policy\/files\/trust-ground\.ts$/, 'on a card, or printed by policy trust'],
]
/** Descriptions of fields: said to the model, which is the one who sends them. */
const isDescription = (line: string): boolean => line.includes('.describe(')

const filesIn = (directory: string): string[] =>
  readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile() && /(?<!\.test)\.ts$/.test(entry.name))
    .map(entry => join(entry.parentPath, entry.name))

test('no text in the code that a model may read is said to the person', () => {
  const src = resolve(import.meta.dirname, '../src')
  const found = ROOMS.flatMap(room => filesIn(join(src, room))).flatMap(file => {
    const name = file.slice(src.length + 1)
    if (FOR_PEOPLE.some(([pattern]) => pattern.test(name))) return []
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter(line => !/^\s*(?:\/?\*|\/\/|import )/.test(line) && !isDescription(line))
      .filter(line => (line.match(/'[^']*'|`[^`]*`|"[^"]*"/g) ?? []).some(toSomebody))
      .map(line => `${name}: ${line.trim()}`)
  })
  expect(found).toEqual([])
})

test.each(ANSWERS.filter(({ answer }) => answer.error))(
  '$name says everything once, sentence by sentence',
  ({ answer }) => {
    const [first = '', second = ''] = presentText(answer).split('\n')
    const sentences = `${first.replace(/^\w+: /, '')} ${second}`.split(/(?<=\.) /)
    expect(sentences.length).toBe(new Set(sentences).size)
    // A whole sentence behind a colon is one that was put into another.
    expect(sentences.filter(sentence => /: (?:There|The|No|Nobody|Nothing|A|It|Ask) [a-z]/.test(sentence))).toEqual([])
    expect(`${first} ${second}`.match(/nothing ran|did not run/gi)?.length ?? 0).toBeLessThanOrEqual(1)
  },
)
