import * as z from 'zod'
import { Command, Id, Text, WorkspaceId } from '../field.ts'

export const MOST_SAVED = 200

export const SavedName = Text.refine(name => name.trim() !== '', 'must not be empty').refine(
  name => name.length <= 120,
  'must be at most 120 characters',
)

/** A line that the person keeps for a project. It allows nothing: whoever runs it takes the way of every command. */
export const SavedCommand = z.object({
  id: Id,
  name: SavedName,
  command: Command,
  created_at: z.string(),
  updated_at: z.string(),
  /** null: never run from the list. */
  last_used_at: z.string().nullable(),
})
export type SavedCommand = z.infer<typeof SavedCommand>

/** `<data>/<workspace_id>/saved-commands.v1.json`. */
export const SavedCommandsFile = z.object({
  workspace_id: WorkspaceId,
  schema_version: z.literal(1),
  commands: z.array(SavedCommand).max(MOST_SAVED),
})
export type SavedCommandsFile = z.infer<typeof SavedCommandsFile>

const OlderCommand = z.union([Command, z.object({ name: z.string().optional(), command: Command })])
/** `<data>/<workspace_id>/saved-commands.json`, from before there was a version: lines, or lines with names. Read, never written. */
export const OlderSavedCommands = z.union([
  z.array(OlderCommand).max(MOST_SAVED),
  z.object({ commands: z.array(OlderCommand).max(MOST_SAVED) }),
])
