import * as z from 'zod'
import { TermError } from '../../contract/tool/errors.ts'
import { applyEdit, type ConfigEdit, revertEdit, whatWas } from './config-edit.ts'
import type { FileEdits } from './setup-client.ts'

/** One file as it is and as it would be. `null`: it is not there, or would be removed. */
export interface FileChange {
  readonly file: string
  readonly before: string | null
  readonly after: string | null
}

const Edited = z.object({ edit: z.custom<ConfigEdit>(), was: z.unknown().optional() })
/** What setup has written, so that it can be taken back. `before` is what was there; it counts as long as `after` is there. */
export const SetupRecord = z.object({
  client: z.string(),
  files: z.array(
    z.object({ file: z.string(), before: z.string().nullable(), after: z.string(), edits: z.array(Edited) }),
  ),
})
export type SetupRecord = z.infer<typeof SetupRecord>

type ReadSettings = (file: string) => string | null

export function planSetup(files: readonly FileEdits[], read: ReadSettings): FileChange[] {
  return files.map(({ file, edits }) => {
    const before = read(file)
    return { file, before, after: explained(file, () => edits.reduce(applyEdit, before ?? '')) }
  })
}

/** What has to be kept for the way back, on top of what was kept before. */
export function recordOf(
  client: string,
  files: readonly FileEdits[],
  changes: readonly FileChange[],
  earlier: SetupRecord | null,
): SetupRecord {
  return {
    client,
    files: changes.map(({ file, before, after }, at) => {
      const known = earlier?.files.find(each => each.file === file)
      let text = before ?? ''
      const fresh = (files[at]?.edits ?? []).map(edit => {
        const was = whatWas(text, edit)
        text = applyEdit(text, edit)
        return { edit, was }
      })
      // Written a second time: what stood there before the first is what undo brings back, with what others did between.
      const kept = known?.edits ?? []
      const added = fresh.filter(({ edit }) => !kept.some(each => JSON.stringify(each.edit) === JSON.stringify(edit)))
      const original = known ? withoutOurs(known, before) : before
      return { file, before: original, after: after ?? '', edits: [...kept, ...added] }
    }),
  }
}

export function planUndo({ files }: SetupRecord, read: ReadSettings): FileChange[] {
  return files.map(known => {
    const now = read(known.file)
    return { file: known.file, before: now, after: withoutOurs(known, now) }
  })
}

function withoutOurs({ file, before, after, edits }: SetupRecord['files'][number], now: string | null): string | null {
  if (now === null) return null
  if (now === after) return before
  // Somebody has changed it since: only what is ours goes.
  const backwards = [...edits].reverse()
  return explained(file, () => backwards.reduce((rest, { edit, was }) => revertEdit(rest, edit, was), now))
}

function explained(file: string, work: () => string): string {
  try {
    return work()
  } catch (cause) {
    throw new TermError(
      'PM_TERM_INVALID_PAYLOAD',
      `${file} cannot be changed, ${(cause as Error).message}.\nNothing was written. Repair the file, or move it away.`,
    )
  }
}
