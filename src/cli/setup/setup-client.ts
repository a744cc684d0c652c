import type { ConfigEdit } from './config-edit.ts'

export const SERVER = 'interactive-terminal'
export const TOOLS = ['memory_terminal', 'memory_terminal_interactive'] as const

export interface Surroundings {
  readonly home: string
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  readonly exists: (file: string) => boolean
  /** What starts our server over stdio. */
  readonly stdio: { readonly command: string; readonly args: readonly string[] }
}

export interface FileEdits {
  readonly file: string
  readonly edits: readonly ConfigEdit[]
}

export interface SetupClient {
  readonly id: string
  readonly title: string
  readonly files: (at: Surroundings, onlyTerminal: boolean) => readonly FileEdits[]
  /** What a person must know or do, because no file says it. */
  readonly notes: (onlyTerminal: boolean) => readonly string[]
  /** For a client that asks a program before its own shell tool runs a command: what makes it ask ours. */
  readonly gate?: (at: Surroundings) => readonly FileEdits[]
}

export const set = (path: readonly string[], value: unknown): ConfigEdit => ({ kind: 'json-set', path, value })
export const add = (path: readonly string[], items: readonly unknown[]): ConfigEdit => ({
  kind: 'json-add',
  path,
  items,
})
export const when = (isSo: boolean, edit: ConfigEdit): readonly ConfigEdit[] => (isSo ? [edit] : [])
