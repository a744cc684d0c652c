import * as z from 'zod'
import { Id } from '../field.ts'

/**
 * What a command would do, looked up on this machine before it runs and shown beside the question. It is no part of what was judged:
 * no verdict and no approval depends on it, and what could not be looked up in time is `unknown`.
 */
export const PREVIEW_MS = 200
/** So many names, commits or processes of one kind are told; the number of all is beside them. */
export const MOST_NAMED = 8
const LONGEST_NAME = 300

/** A name of the disk or a word of the line. Untrusted text. */
const Name = z.string().max(LONGEST_NAME)
const Names = z.array(Name).max(MOST_NAMED)

const Glob = z.object({
  about: z.literal('glob'),
  pattern: Name,
  names: Names,
  count: z.int(),
})
/** `value` null: it is not set. */
const Variable = z.object({ about: z.literal('variable'), name: Name, value: Name.nullable() })
const Deletes = z.object({
  about: z.literal('deletes'),
  /** As they are named, wildcards expanded. */
  paths: Names,
  /** How many of those there are. */
  count: z.int(),
  files: z.int(),
  directories: z.int(),
  bytes: z.int(),
  /** There are more than were counted. */
  at_least: z.boolean(),
  /** How many of the files git keeps; null: that is not known. */
  tracked: z.int().nullable(),
  missing: Names,
  /** Directories that it does not delete without -r. */
  refused: Names,
})
const Writes = z.object({
  about: z.literal('writes'),
  path: Name,
  how: z.enum(['new', 'overwritten', 'appended', 'no_directory', 'no_file']),
  /** Of what is there already. */
  bytes: z.int().nullable(),
})
const Pushes = z.object({
  about: z.literal('pushes'),
  remote: Name,
  address: Name,
  branch: Name,
  /** Nobody has fetched it from there so far. */
  is_new: z.boolean(),
  commits: z.int(),
  /** The newest of them, each with the first line of its message. */
  first: Names,
  /** Commits that are there and not here: they would be lost. null: nothing is forced. */
  lost: z.int().nullable(),
  deletes: z.boolean(),
})
const Signals = z.object({
  about: z.literal('signals'),
  processes: z
    .array(
      z.object({
        pid: z.int(),
        program: Name,
        /** self: this product · started_here: below it, by an agent or by the person in a terminal here · other. */
        whose: z.enum(['self', 'started_here', 'other']),
      }),
    )
    .max(MOST_NAMED),
  count: z.int(),
})
/** What would have been of interest and is not known, in a sentence. */
const Unknown = z.object({ about: z.literal('unknown'), what: Name, why: Name })

export const PreviewItem = z.discriminatedUnion('about', [Glob, Variable, Deletes, Writes, Pushes, Signals, Unknown])
export type PreviewItem = z.infer<typeof PreviewItem>
export const MOST_ITEMS = 24

/**
 * Follows the question it is about, once; to who comes later, behind that question. About a line that a person wrote instead it follows
 * `judged`, to who wrote it.
 */
export const Preview = z.object({
  type: z.literal('preview'),
  ask_id: Id,
  /** The line that a person wrote instead. null: the one that was asked for. */
  edited: z.string().nullable(),
  items: z.array(PreviewItem).max(MOST_ITEMS),
  /** All of it was looked up. False: time was over, or something was in the way. */
  complete: z.boolean(),
  took_ms: z.int(),
})
export type Preview = z.infer<typeof Preview>

// ── between the host and the process that looks ─────────────────────────────────────────────────

export const PreviewRequest = z.object({
  id: Id,
  command: z.string(),
  args: z.array(z.string()).nullable(),
  shell: z.enum(['bash', 'sh', 'zsh', 'powershell', 'cmd', 'fish']),
  cwd: z.string(),
  home: z.string().nullable(),
  /** What variables of the line stand for; null: it is not set. What is missing is not to be shown. */
  variables: z.record(z.string(), z.string().nullable()),
  /** The request sets variables that change what git reads or reaches. */
  own_git: z.boolean(),
  /** The processes of this product. */
  ours: z.array(z.int()),
  ms: z.int(),
})
export type PreviewRequest = z.infer<typeof PreviewRequest>

/** One line for each item as soon as it is known, then one with `end`. */
export const PreviewLine = z.union([
  z.object({ id: Id, item: PreviewItem }),
  z.object({ id: Id, end: z.literal(true), complete: z.boolean() }),
  z.object({ ready: z.literal(true) }),
])
export type PreviewLine = z.infer<typeof PreviewLine>
