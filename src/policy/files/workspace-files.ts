import { readdirSync, readFileSync, rmSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import type * as z from 'zod'
import { writeAtomically } from '../../base/atomic-file.ts'
import { textIn } from '../../base/process/quiet-reads.ts'
import { AllowlistFile, HeadlessPolicyFile, WorkspaceFile } from '../../contract/disk/files.ts'
import { WorkspaceId } from '../../contract/field.ts'
import { TermError } from '../../contract/tool/errors.ts'
import type { RuleExamples } from './rule-examples.ts'

export type RuleLayer = 'base' | 'headless'
export const LAYERS: readonly RuleLayer[] = ['base', 'headless']

export const RULE_FILE = { base: 'terminal-allowlist.json', headless: 'headless-allowlist-policy.v1.json' } as const

export interface BrokenFile {
  readonly file: string
  readonly problem: string
  /** Of a workspace's own file: the directory it names, as far as that can be read. It only says where to look. */
  readonly directory?: string
}

export interface FileContent {
  readonly patterns: readonly string[]
  readonly examples?: Readonly<Record<string, RuleExamples>> | undefined
}

const PATHS: Record<RuleLayer, readonly string[]> = {
  base: [RULE_FILE.base],
  headless: ['interactive-terminal', RULE_FILE.headless],
}
const MOST_WORKSPACES = 1000
/** Beside the workspaces: the copy of what a person decided (ADR 44). */
export const DECISIONS_FILE = 'decisions.v1.json'

type WorkspacePlaces = Readonly<Record<RuleLayer | 'binding', string>>
type FileReading = { readonly content: unknown } | { readonly problem: string; readonly directory?: string }

/** The files of all workspaces below the data directory, read afresh whenever one has changed. */
export class WorkspaceFiles {
  readonly #dataDir: string
  readonly #now: () => number
  readonly #cache = new Map<string, { readonly stat: Stats; readonly reading: FileReading }>()
  readonly #places = new Map<string, WorkspacePlaces>()
  /** What was looked at during one question. */
  #looked: Map<string, Stats | undefined> | null = null
  #listed: { stamp: number | null; names: readonly string[] } = { stamp: null, names: [] }

  constructor(options: { dataDir: string; now: () => number }) {
    this.#dataDir = options.dataDir
    this.#now = options.now
  }

  /** One question is one look: what it asks twice it is told once. The next question looks again. */
  atOnce<Answer>(ask: () => Answer): Answer {
    if (this.#looked !== null) return ask()
    this.#looked = new Map()
    try {
      return ask()
    } finally {
      this.#looked = null
    }
  }

  ids(): readonly string[] {
    // A directory's own time changes with every entry that comes or goes.
    const stat = this.#look(this.#dataDir)
    if (!stat?.isDirectory()) return []
    const stamp = stat.mtimeMs
    if (this.#listed.stamp !== stamp) {
      const names = readdirSync(this.#dataDir).filter(isWorkspace)
      this.#listed = { stamp, names: names.sort().slice(0, MOST_WORKSPACES) }
    }
    return this.#listed.names
  }

  /** Whether a directory is bound to this id, or was and its file cannot be read. */
  isTaken(id: string): boolean {
    return (
      !isWorkspace(id) || statSync(join(this.#home(id), 'workspace.v1.json'), { throwIfNoEntry: false }) !== undefined
    )
  }

  binding(id: string, broken: BrokenFile[] = []): WorkspaceFile | null {
    return this.#read(this.#placesOf(id).binding, WorkspaceFile, broken)
  }

  content(id: string, layer: RuleLayer, broken: BrokenFile[] = []): FileContent {
    const schema: z.ZodType<FileContent> = layer === 'base' ? AllowlistFile : HeadlessPolicyFile
    return this.#read(this.pathOf(id, layer), schema, broken) ?? { patterns: [] }
  }

  pathOf(id: string, layer: RuleLayer): string {
    return this.#placesOf(id)[layer]
  }

  hasFile(id: string, layer: RuleLayer): boolean {
    return statSync(this.pathOf(id, layer), { throwIfNoEntry: false }) !== undefined
  }

  /** For writing: refuses to overwrite a file it cannot read, so that nothing a person wrote is lost. */
  sound(id: string, layer: RuleLayer): FileContent {
    const broken: BrokenFile[] = []
    const content = this.content(id, layer, broken)
    const [bad] = broken
    if (bad)
      throw new TermError('PM_TERM_INVALID_PAYLOAD', `${bad.file} ${bad.problem}. Fix or remove it first.`, {
        details: { ...bad },
      })
    return content
  }

  savePatterns(id: string, layer: RuleLayer, { patterns, examples }: FileContent): void {
    const rules = examples ? { patterns, examples } : { patterns }
    const content = layer === 'base' ? { ...rules, updated_at: this.#stamp() } : { workspace_id: id, ...rules }
    writeAtomically(this.pathOf(id, layer), `${JSON.stringify(content, null, 2)}\n`)
  }

  saveBinding(id: string, file: Omit<WorkspaceFile, 'workspace_id' | 'updated_at'>): void {
    const content: WorkspaceFile = { ...file, workspace_id: id, updated_at: this.#stamp() }
    writeAtomically(join(this.#home(id), 'workspace.v1.json'), `${JSON.stringify(content, null, 2)}\n`)
  }

  removeBinding(id: string): void {
    rmSync(join(this.#home(id), 'workspace.v1.json'), { force: true })
  }

  #read<T>(file: string, schema: z.ZodType<T>, broken: BrokenFile[]): T | null {
    const stat = this.#look(file)
    if (!stat) return null
    let known = this.#cache.get(file)
    if (known === undefined || !isSame(known.stat, stat)) {
      known = { stat, reading: readJson(file, stat.mode, schema) }
      this.#cache.set(file, known)
    }
    if ('content' in known.reading) return known.reading.content as T
    broken.push({ file, ...known.reading })
    return null
  }

  #look(path: string): Stats | undefined {
    const known = this.#looked?.get(path)
    if (known !== undefined || this.#looked?.has(path)) return known
    const stat = statSync(path, { throwIfNoEntry: false })
    this.#looked?.set(path, stat)
    return stat
  }

  /** Where the files of an id are; whether it is one does not change. */
  #placesOf(id: string): WorkspacePlaces {
    const known = this.#places.get(id)
    if (known !== undefined) return known
    const home = this.#home(id)
    const at = (layer: RuleLayer) => join(home, ...PATHS[layer])
    const places = { binding: join(home, 'workspace.v1.json'), base: at('base'), headless: at('headless') }
    if (this.#places.size < MOST_WORKSPACES) this.#places.set(id, places)
    return places
  }

  /** An id is a name in our data directory and never a way out of it. */
  #home(id: string): string {
    const checked = WorkspaceId.safeParse(id)
    if (checked.success && isWorkspace(id)) return join(this.#dataDir, checked.data)
    const why = checked.error?.issues[0]?.message ?? 'is a reserved name'
    throw new TermError('PM_TERM_INVALID_PAYLOAD', `The workspace id ${why}.`, { details: { field: 'workspace_id' } })
  }

  #stamp(): string {
    return new Date(this.#now()).toISOString()
  }
}

const isSame = (a: Stats, b: Stats): boolean =>
  a === b ||
  (a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.mode === b.mode)

const isWorkspace = (name: string): boolean => name !== DECISIONS_FILE && WorkspaceId.safeParse(name).success

function readJson(file: string, mode: number, schema: z.ZodType): FileReading {
  if (process.platform !== 'win32' && (mode & 0o022) !== 0)
    return { problem: 'can be written by other users; chmod it to 600', ...namedDirectory(textIn(file)) }
  try {
    const text = readFileSync(file, 'utf8')
    const hint = namedDirectory(text)
    const value = parsedJson(text)
    if (value === undefined) return { problem: 'is not JSON', ...hint }
    const parsed = schema.safeParse(value)
    if (parsed.success) return { content: parsed.data }
    const [issue] = parsed.error.issues
    return { problem: `does not have the right shape: ${issue?.path.join('.')} ${issue?.message}`, ...hint }
  } catch {
    return { problem: 'cannot be read' }
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // which no JSON is
  }
}

/** The directory in a file that may be half-written. */
function namedDirectory(text: string): { directory?: string } {
  const [, named] = /"directory"\s*:\s*("(?:[^"\\]|\\.)+")/.exec(text) ?? []
  const directory = named === undefined ? undefined : parsedJson(named)
  return typeof directory === 'string' ? { directory } : {}
}
