import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import type * as z from 'zod'
import { writeAtomically } from '../base/atomic-file.ts'
import { TermError } from '../contract/errors.ts'
import { WorkspaceId } from '../contract/field.ts'
import { AllowlistFile, HeadlessPolicyFile, WorkspaceFile } from '../contract/files.ts'
import { checkRule } from './check-rule.ts'
import { isInside } from './inside.ts'
import { readPattern } from './pattern.ts'
import { brokenExample, type RuleExamples } from './rule-examples.ts'
import type { Rule, Workspace } from './rules.ts'
import type { Lane } from './verdict.ts'

export type RuleLayer = 'base' | 'headless'

export interface BrokenFile {
  readonly file: string
  readonly problem: string
}

/** A pattern that stands in a file but is not in force, and why. */
export interface IdlePattern {
  readonly pattern: string
  readonly source: string
  readonly why: string
}

export interface WorkspaceRules {
  readonly rules: readonly Rule[]
  readonly idle: readonly IdlePattern[]
  readonly workspace: Workspace | null
  readonly broken: readonly BrokenFile[]
}

interface FileContent {
  readonly patterns: readonly string[]
  readonly examples?: Readonly<Record<string, RuleExamples>> | undefined
}

const FILES: Record<RuleLayer, { readonly path: readonly string[]; readonly name: string }> = {
  base: { path: ['terminal-allowlist.json'], name: 'terminal-allowlist.json' },
  headless: {
    path: ['interactive-terminal', 'headless-allowlist-policy.v1.json'],
    name: 'headless-allowlist-policy.v1.json',
  },
}
const MOST_WORKSPACES = 1000

type Reading = { readonly content: unknown } | { readonly problem: string }

/**
 * The rule files of all workspaces below the data directory. Read afresh whenever a file has changed, so an edit counts
 * at once: a removal fully, an addition once a person has confirmed it. A broken file means no patterns, never defaults.
 */
export class RuleFiles {
  readonly #dataDir: string
  readonly #now: () => number
  readonly #cache = new Map<string, { stamp: string; reading: Reading }>()
  #listed: { stamp: number | null; names: readonly string[] } = { stamp: null, names: [] }

  constructor(options: { dataDir: string; now: () => number }) {
    this.#dataDir = options.dataDir
    this.#now = options.now
  }

  /** What a person's own files allow in `cwd`, a real path. Without an id, the workspace bound around `cwd` counts. */
  rulesFor(request: { workspaceId?: string | undefined; cwd: string; lane: Lane }): WorkspaceRules {
    const id = request.workspaceId ?? this.#workspaceAround(request.cwd)
    if (id === null) return { rules: [], idle: [], workspace: null, broken: [] }
    const broken: BrokenFile[] = []
    const bound = this.#binding(id, broken)
    const workspace =
      bound && isInside(bound.directory, request.cwd)
        ? { id, directory: bound.directory, trusted: bound.trusted }
        : null
    const layers: RuleLayer[] = request.lane === 'headless' ? ['base', 'headless'] : ['base']
    const rules: Rule[] = []
    const idle: IdlePattern[] = []
    for (const layer of layers) {
      const source = FILES[layer].name
      const content = this.#content(id, layer, broken)
      for (const text of content.patterns) {
        const pattern = readPattern(text)
        if ('problem' in pattern) {
          idle.push({ pattern: text, source, why: `the pattern ${pattern.problem}` })
          continue
        }
        const rule: Rule = { pattern, source, why: `your rule in ${source}`, reach: 'anywhere', options: 'any' }
        const broke = brokenExample(rule, content.examples?.[text] ?? {})
        const obstacle =
          broke !== null
            ? `it breaks its own example: ${broke}`
            : !bound?.accepted[layer].includes(text)
              ? 'added from outside; a person has to confirm it'
              : !workspace
                ? 'the directory is outside the one bound to this workspace'
                : null
        if (obstacle !== null) idle.push({ pattern: text, source, why: obstacle })
        else rules.push(rule)
      }
    }
    return { rules, idle, workspace, broken }
  }

  /** Binds a directory to a workspace id; the person's act that gives its rules and trust a place. */
  bind(id: string, directory: string, trusted: boolean): Workspace {
    const real = realDirectory(directory)
    const before = this.#binding(id, [])
    // Rules accepted for one directory must not come into force in another by the way of a name.
    if (before && before.directory !== real)
      throw new TermError(
        'PM_TERM_INVALID_PAYLOAD',
        `The workspace "${id}" is ${before.directory}. Choose another id: --workspace.`,
        {
          details: { field: 'workspace_id', directory: before.directory },
        },
      )
    this.#saveWorkspace(id, { directory: real, trusted, accepted: before?.accepted ?? { base: [], headless: [] } })
    return { id, directory: real, trusted }
  }

  /** Whether these could be added and anything removed: throws what stands against it, else tells for which directory. */
  changeable(id: string, layer: RuleLayer, added: readonly string[]): string {
    for (const text of added) mustBeRule(text)
    this.#sound(id, layer)
    return this.#needBinding(id).directory
  }

  /** Adds a pattern a person has confirmed, to the file and to what is in force. */
  add(id: string, layer: RuleLayer, text: string): void {
    mustBeRule(text)
    const bound = this.#needBinding(id)
    const inFile = this.#sound(id, layer)
    this.#savePatterns(id, layer, { ...inFile, patterns: [...inFile.patterns.filter(each => each !== text), text] })
    const accepted = [...bound.accepted[layer].filter(each => each !== text), text]
    this.#saveWorkspace(id, { ...bound, accepted: { ...bound.accepted, [layer]: accepted } })
  }

  remove(id: string, layer: RuleLayer, text: string): void {
    const bound = this.#needBinding(id)
    const inFile = this.#sound(id, layer)
    if (!inFile.patterns.includes(text))
      throw new TermError('PM_TERM_NOT_FOUND', `${FILES[layer].name} has no pattern "${text}".`, { details: { id } })
    this.#savePatterns(id, layer, { ...inFile, patterns: inFile.patterns.filter(each => each !== text) })
    const accepted = bound.accepted[layer].filter(each => each !== text)
    this.#saveWorkspace(id, { ...bound, accepted: { ...bound.accepted, [layer]: accepted } })
  }

  /** The id a directory has, or a free one made from its name. */
  idFor(directory: string): string {
    const real = realDirectory(directory)
    const bound = this.workspaces().find(id => this.#binding(id, [])?.directory === real)
    if (bound !== undefined) return bound
    const name =
      basename(real)
        .replace(/[^A-Za-z0-9._-]/g, '-')
        .replace(/^\.+/, '')
        .slice(0, 100) || 'workspace'
    if (!this.#binding(name, [])) return name
    return `${name}-${createHash('sha256').update(real).digest('hex').slice(0, 8)}`
  }

  workspaces(): readonly string[] {
    // A directory's own time changes with every entry that comes or goes.
    const stat = statSync(this.#dataDir, { throwIfNoEntry: false })
    if (!stat?.isDirectory()) return []
    const stamp = stat.mtimeMs
    if (this.#listed.stamp !== stamp) {
      const names = readdirSync(this.#dataDir).filter(name => WorkspaceId.safeParse(name).success)
      this.#listed = { stamp, names: names.slice(0, MOST_WORKSPACES) }
    }
    return this.#listed.names
  }

  #workspaceAround(cwd: string): string | null {
    let best: { id: string; length: number } | null = null
    for (const id of this.workspaces()) {
      const bound = this.#binding(id, [])
      if (!bound || !isInside(bound.directory, cwd)) continue
      if (!best || bound.directory.length > best.length) best = { id, length: bound.directory.length }
    }
    return best?.id ?? null
  }

  #binding(id: string, broken: BrokenFile[]): WorkspaceFile | null {
    return this.#read(join(this.#home(id), 'workspace.v1.json'), WorkspaceFile, broken)
  }

  #needBinding(id: string): WorkspaceFile {
    const bound = this.#binding(id, [])
    if (bound) return bound
    throw new TermError(
      'PM_TERM_NOT_FOUND',
      `No directory is bound to the workspace "${id}". A person binds one first: interactive-terminal policy trust <directory> --workspace ${id}`,
      { details: { workspace_id: id } },
    )
  }

  #content(id: string, layer: RuleLayer, broken: BrokenFile[]): FileContent {
    const schema: z.ZodType<FileContent> = layer === 'base' ? AllowlistFile : HeadlessPolicyFile
    return this.#read(this.#path(id, layer), schema, broken) ?? { patterns: [] }
  }

  /** For writing: refuses to overwrite a file it cannot read, so that nothing a person wrote is lost. */
  #sound(id: string, layer: RuleLayer): FileContent {
    const broken: BrokenFile[] = []
    const content = this.#content(id, layer, broken)
    const [bad] = broken
    if (bad)
      throw new TermError('PM_TERM_INVALID_PAYLOAD', `${bad.file} ${bad.problem}. Mend or remove it first.`, {
        details: { ...bad },
      })
    return content
  }

  #read<T>(file: string, schema: z.ZodType<T>, broken: BrokenFile[]): T | null {
    const stat = statSync(file, { throwIfNoEntry: false })
    if (!stat) return null
    const stamp = `${stat.ino}:${stat.size}:${stat.mtimeMs}:${stat.ctimeMs}:${stat.mode}`
    let known = this.#cache.get(file)
    if (known?.stamp !== stamp) {
      known = { stamp, reading: readJson(file, stat.mode, schema) }
      this.#cache.set(file, known)
    }
    if ('content' in known.reading) return known.reading.content as T
    broken.push({ file, problem: known.reading.problem })
    return null
  }

  /** An id is a name in our data directory and never a way out of it. */
  #home(id: string): string {
    const checked = WorkspaceId.safeParse(id)
    if (checked.success) return join(this.#dataDir, checked.data)
    throw new TermError('PM_TERM_INVALID_PAYLOAD', `The workspace id ${checked.error.issues[0]?.message}.`, {
      details: { field: 'workspace_id' },
    })
  }

  #path(id: string, layer: RuleLayer): string {
    return join(this.#home(id), ...FILES[layer].path)
  }

  #savePatterns(id: string, layer: RuleLayer, { patterns, examples }: FileContent): void {
    const rules = examples ? { patterns, examples } : { patterns }
    const content = layer === 'base' ? { ...rules, updated_at: this.#stamp() } : { workspace_id: id, ...rules }
    writeAtomically(this.#path(id, layer), `${JSON.stringify(content, null, 2)}\n`)
  }

  #saveWorkspace(id: string, file: Omit<WorkspaceFile, 'workspace_id' | 'updated_at'>): void {
    const content: WorkspaceFile = { ...file, workspace_id: id, updated_at: this.#stamp() }
    writeAtomically(join(this.#home(id), 'workspace.v1.json'), `${JSON.stringify(content, null, 2)}\n`)
  }

  #stamp(): string {
    return new Date(this.#now()).toISOString()
  }
}

function readJson(file: string, mode: number, schema: z.ZodType): Reading {
  if (process.platform !== 'win32' && (mode & 0o022) !== 0)
    return { problem: 'can be written by other users; chmod it to 600' }
  try {
    const parsed = schema.safeParse(JSON.parse(readFileSync(file, 'utf8')))
    if (parsed.success) return { content: parsed.data }
    const [issue] = parsed.error.issues
    return { problem: `does not have the right shape: ${issue?.path.join('.')} ${issue?.message}` }
  } catch (cause) {
    return { problem: cause instanceof SyntaxError ? 'is not JSON' : 'cannot be read' }
  }
}

function mustBeRule(text: string): void {
  const check = checkRule(text)
  if (check.advice === 'refuse')
    throw new TermError('PM_TERM_INVALID_PAYLOAD', `"${text}" cannot be a rule: ${check.why}.`, {
      details: { field: 'patterns', pattern: text },
    })
}

function realDirectory(directory: string): string {
  try {
    const real = realpathSync(resolve(directory))
    if (statSync(real).isDirectory()) return real
  } catch {
    // falls through to the same answer: there is no such directory
  }
  throw new TermError('PM_TERM_INVALID_PAYLOAD', `${directory} is not an existing directory.`, {
    details: { field: 'directory' },
  })
}
