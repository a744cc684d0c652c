import { isDeepStrictEqual } from 'node:util'
import { addJson, type JsonPath, jsonAt, removeItem, removeJson, setJson } from './json-edit.ts'
import { removeTomlKey, removeTomlTable, setTomlKey, setTomlTable, tomlKey, tomlTable } from './toml-edit.ts'

/** One change of a client's configuration, which can be taken back without touching anything else. */
export type ConfigEdit =
  | { readonly kind: 'json-set'; readonly path: JsonPath; readonly value: unknown }
  | { readonly kind: 'json-add'; readonly path: JsonPath; readonly items: readonly unknown[] }
  | { readonly kind: 'toml-table'; readonly name: string; readonly lines: readonly string[] }
  | { readonly kind: 'toml-key'; readonly table: string; readonly key: string; readonly value: string }

export function applyEdit(text: string, edit: ConfigEdit): string {
  switch (edit.kind) {
    case 'json-set':
      return setJson(text, edit.path, edit.value)
    case 'json-add':
      return addJson(text.trim() === '' ? '{}\n' : text, edit.path, edit.items)
    case 'toml-table':
      return setTomlTable(text, edit.name, edit.lines)
    case 'toml-key':
      return setTomlKey(text, edit.table, edit.key, edit.value)
  }
}

/** What is there before an edit, as much of it as the edit would change. */
export function whatWas(text: string, edit: ConfigEdit): unknown {
  switch (edit.kind) {
    case 'json-set':
      return jsonAt(text, edit.path)
    case 'json-add': {
      const list = jsonAt(text, edit.path)
      return Array.isArray(list) ? edit.items.filter(item => isIn(list, item)) : undefined
    }
    case 'toml-table':
      return tomlTable(text, edit.name) ?? undefined
    case 'toml-key':
      return tomlKey(text, edit.table, edit.key) ?? undefined
  }
}

/** Takes an edit back in a text that others may have changed since. What is no longer ours stays as it is. */
export function revertEdit(text: string, edit: ConfigEdit, was: unknown): string {
  switch (edit.kind) {
    case 'json-set':
      if (!isDeepStrictEqual(jsonAt(text, edit.path), edit.value)) return text
      return was === undefined ? withoutEmpty(removeJson(text, edit.path), edit.path) : setJson(text, edit.path, was)
    case 'json-add': {
      const had = (was ?? []) as readonly unknown[]
      const ours = edit.items.filter(item => !isIn(had, item))
      const changed = ours.reduce<string>((rest, item) => removeItem(rest, edit.path, item), text)
      const isBare = was === undefined && isDeepStrictEqual(jsonAt(changed, edit.path), [])
      return isBare ? withoutEmpty(removeJson(changed, edit.path), edit.path) : changed
    }
    case 'toml-table':
      if (!isDeepStrictEqual(tomlTable(text, edit.name), edit.lines)) return text
      return was === undefined ? removeTomlTable(text, edit.name) : setTomlTable(text, edit.name, was as string[])
    case 'toml-key': {
      if (tomlKey(text, edit.table, edit.key) !== edit.value) return text
      if (was !== undefined) return setTomlKey(text, edit.table, edit.key, was as string)
      const changed = removeTomlKey(text, edit.table, edit.key)
      return tomlTable(changed, edit.table)?.length === 1 ? removeTomlTable(changed, edit.table) : changed
    }
  }
}

const isIn = (list: readonly unknown[], item: unknown): boolean => list.some(each => isDeepStrictEqual(each, item))

/** An object that held only our value goes with it. */
function withoutEmpty(text: string, path: JsonPath): string {
  const parent = path.slice(0, -1)
  if (parent.length === 0 || !isDeepStrictEqual(jsonAt(text, parent), {})) return text
  return withoutEmpty(removeJson(text, parent), parent)
}
