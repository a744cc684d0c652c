import { isDeepStrictEqual } from 'node:util'
import { type JsonNode, JsonProblem, readJson } from './json-nodes.ts'

/** Changes of a JSON text that leave everything else as it is: comments, order, indents, line ends. */

export type JsonPath = readonly string[]

/** Sets one value; objects on the way are made if they are missing. */
export function setJson(text: string, path: JsonPath, value: unknown): string {
  const whole = text.trim() === '' ? '{}\n' : text
  let node = readJson(whole)
  for (const [depth, key] of path.entries()) {
    if (node.members === null)
      throw new JsonProblem(whole, node.start, `${path.slice(0, depth).join('.')} is no object`)
    const member = node.members.find(each => each.key === key)
    if (member === undefined) {
      const rest = path.slice(depth + 1).reduceRight<unknown>((inner, name) => ({ [name]: inner }), value)
      return insert(whole, node, ({ print }) => `${JSON.stringify(key)}: ${print(rest)}`)
    }
    node = member.node
  }
  if (isDeepStrictEqual(node.value, value)) return whole
  return whole.slice(0, node.start) + printer(whole, node).print(value) + whole.slice(node.end)
}

/** Adds entries to a list, those that are missing; the list is made if there is none. */
export function addJson(text: string, path: JsonPath, wanted: readonly unknown[]): string {
  const there = nodeAt(text, path)
  if (there === null) return setJson(text, path, wanted)
  if (there.items === null) throw new JsonProblem(text, there.start, `${path.join('.')} is no list`)
  const has = there.value as unknown[]
  return wanted
    .filter(item => !has.some(each => isDeepStrictEqual(each, item)))
    .reduce<string>(
      (changed, item) => insert(changed, nodeAt(changed, path) ?? there, ({ print }) => print(item)),
      text,
    )
}

/** Takes a value out again; objects and lists that are empty then stay. */
export function removeJson(text: string, path: JsonPath): string {
  const parent = nodeAt(text, path.slice(0, -1))
  const at = parent?.members?.findIndex(({ key }) => key === path.at(-1)) ?? -1
  if (!parent?.members || at < 0) return text
  const parts = parent.members.map(({ start, node }) => ({ start, end: node.end }))
  return cut(text, parent, parts, at)
}

export function removeItem(text: string, path: JsonPath, item: unknown): string {
  const list = nodeAt(text, path)
  const at = list?.items?.findIndex(({ value }) => isDeepStrictEqual(value, item)) ?? -1
  return list?.items && at >= 0 ? cut(text, list, list.items, at) : text
}

export const jsonAt = (text: string, path: JsonPath): unknown => nodeAt(text, path)?.value

function nodeAt(text: string, path: JsonPath): JsonNode | null {
  if (text.trim() === '') return null
  let node: JsonNode | undefined = readJson(text)
  for (const key of path) node = node?.members?.find(each => each.key === key)?.node
  return node ?? null
}

interface Printer {
  readonly print: (value: unknown) => string
  /** The line end and indent of an entry of this object or list, and of its close. */
  readonly entry: string
  readonly close: string
}

function printer(text: string, node: JsonNode): Printer {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const unit = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  '
  const indentAt = (place: number) => /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', place - 1) + 1))?.[0] ?? ''
  const close = indentAt(node.start)
  const first = node.members?.[0]?.start ?? node.items?.[0]?.start
  const own = first === undefined ? close + unit : indentAt(first)
  const printIn = (indent: string) => (value: unknown) =>
    JSON.stringify(value, null, unit).replaceAll('\n', eol + indent)
  const isContainer = node.members !== null || node.items !== null
  return { print: printIn(isContainer ? own : close), entry: eol + own, close: eol + close }
}

/** Puts an entry behind the last one of an object or a list. */
function insert(text: string, node: JsonNode, entryOf: (printer: Printer) => string): string {
  const pen = printer(text, node)
  const last = node.members?.at(-1)?.node ?? node.items?.at(-1)
  if (last === undefined) {
    // What a comment says in there stays.
    const inside = text.slice(node.start + 1, node.end - 1).trimEnd()
    return `${text.slice(0, node.start + 1)}${inside}${pen.entry}${entryOf(pen)}${pen.close}${text.slice(node.end - 1)}`
  }
  const behind = text.slice(last.end, node.end - 1)
  const comma = /^(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*,/.exec(behind)?.[0]
  if (comma === undefined && !text.slice(node.start, node.end).includes('\n'))
    return `${text.slice(0, last.end)}, ${entryOf(pen)}${text.slice(last.end)}`
  // Behind a comment on the last entry's line.
  const from = last.end + (comma?.length ?? 0)
  const rest = /^[ \t]*(?:\/\/[^\r\n]*|\/\*[^\n]*?\*\/)?/.exec(text.slice(from, node.end - 1))?.[0] ?? ''
  const head = comma === undefined ? `${text.slice(0, last.end)},` : text.slice(0, from)
  return `${head}${rest.trimEnd()}${pen.entry}${entryOf(pen)}${comma === undefined ? '' : ','}${text.slice(from + rest.length)}`
}

function cut(text: string, node: JsonNode, parts: readonly { start: number; end: number }[], at: number): string {
  const part = parts[at]
  const before = parts[at - 1]
  const after = parts[at + 1]
  if (!part) return text
  if (before) {
    const between = text.slice(before.end, part.start)
    // A comment between them is somebody's; only the comma goes.
    const kept = /\/[/*]/.test(between) ? between.replace(',', '').trimEnd() : ''
    return text.slice(0, before.end) + kept + text.slice(part.end)
  }
  if (after) return text.slice(0, part.start) + text.slice(after.start)
  const inside = text.slice(node.start + 1, part.start).trimEnd()
  const tail = text
    .slice(part.end, node.end - 1)
    .replace(',', '')
    .trim()
  const comments = inside + (tail === '' ? '' : ` ${tail}`)
  return text.slice(0, node.start + 1) + (comments === '' ? '' : `${comments}\n`) + text.slice(node.end - 1)
}
