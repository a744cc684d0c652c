import * as z from 'zod'
import { SavedCommand, SavedName } from '../disk/saved-commands.ts'
import { Command, Id, WorkspaceId } from '../field.ts'
import { asking } from '../wire/terminal-frames.ts'

/** The commands that the person keeps, project by project. Only a window has these frames: agents neither read nor write them. */
const aboutSaved = { ...asking, workspace_id: WorkspaceId, saved_id: Id }
/** As it was shown: if the file says another line by now, nothing is done. */
const asShown = { ...aboutSaved, command: Command }

/** Answered with `saved_listed`. */
export const SavedList = z.strictObject({ type: z.literal('saved_list'), ...asking })
/** A new one, or with `saved_id` another name and line for one that is there. */
export const SavedSave = z.strictObject({
  type: z.literal('saved_save'),
  ...asking,
  workspace_id: WorkspaceId,
  saved_id: Id.nullable(),
  name: SavedName,
  command: Command,
})
export const SavedDelete = z.strictObject({ type: z.literal('saved_delete'), ...aboutSaved })
/** Types it into a shell of the person's own, as their line; `terminal_id` null: into a new one in the project. `done` names the terminal. */
export const SavedRun = z.strictObject({ type: z.literal('saved_run'), ...asShown, terminal_id: Id.nullable() })
/** Puts the question whether it becomes a rule of the project. `done`: the question is there, or the rule was. */
export const SavedPropose = z.strictObject({ type: z.literal('saved_propose'), ...asShown })

export const SavedProject = z.object({
  workspace_id: z.string(),
  directory: z.string(),
  commands: z.array(SavedCommand),
  /** Why its file cannot be read; it is left as it is. */
  problem: z.string().nullable(),
})
export type SavedProject = z.infer<typeof SavedProject>
export const SavedListed = z.object({ type: z.literal('saved_listed'), ...asking, projects: z.array(SavedProject) })

export const FROM_WINDOW_SAVED = [SavedList, SavedSave, SavedDelete, SavedRun, SavedPropose] as const
