import { join } from 'node:path'
import { writeAtomically } from '../../base/atomic-file.ts'
import { readJsonFile } from '../../base/json-file.ts'
import {
  MOST_SAVED,
  OlderSavedCommands,
  type SavedCommand,
  SavedCommandsFile,
} from '../../contract/disk/saved-commands.ts'
import { TermError } from '../../contract/tool/errors.ts'

export interface SavedFilesDeps {
  readonly dataDir: string
  readonly now: () => number
  readonly makeId: () => string
}

export interface SavedReading {
  readonly commands: readonly SavedCommand[]
  /** Why the file cannot be read. */
  readonly problem: string | null
}

const FILE = 'saved-commands.v1.json'
const OLDER_FILE = 'saved-commands.json'
const LONGEST_NAME = 60

/** The person's commands of each project, on disk. A file that cannot be read is reported and never written over. */
export class SavedCommandsFiles {
  readonly #deps: SavedFilesDeps

  constructor(deps: SavedFilesDeps) {
    this.#deps = deps
  }

  read(workspaceId: string): SavedReading {
    const file = readJsonFile(this.#path(workspaceId, FILE), SavedCommandsFile)
    if ('problem' in file) return { commands: [], problem: `${FILE} ${file.problem}` }
    if ('missing' in file) return this.#older(workspaceId)
    const { content } = file
    if (content.workspace_id !== workspaceId)
      return { commands: [], problem: `${FILE} is of the project ${content.workspace_id}` }
    return { commands: content.commands, problem: null }
  }

  add(workspaceId: string, { name, command }: Pick<SavedCommand, 'name' | 'command'>): void {
    const commands = this.#sound(workspaceId)
    if (commands.length >= MOST_SAVED)
      throw new TermError('PM_TERM_INVALID_PAYLOAD', `${MOST_SAVED} commands are saved here. Delete one first.`)
    this.#write(workspaceId, [...commands, this.#new(name, command)])
  }

  change(workspaceId: string, id: string, changes: Partial<Pick<SavedCommand, 'name' | 'command'>>): void {
    this.find(workspaceId, id)
    const updated_at = this.#stamp()
    this.#write(
      workspaceId,
      this.#sound(workspaceId).map(each => (each.id === id ? { ...each, ...changes, updated_at } : each)),
    )
  }

  used(workspaceId: string, id: string): void {
    const last_used_at = this.#stamp()
    this.#write(
      workspaceId,
      this.#sound(workspaceId).map(each => (each.id === id ? { ...each, last_used_at } : each)),
    )
  }

  remove(workspaceId: string, id: string): void {
    this.find(workspaceId, id)
    this.#write(
      workspaceId,
      this.#sound(workspaceId).filter(each => each.id !== id),
    )
  }

  find(workspaceId: string, id: string): SavedCommand {
    const found = this.#sound(workspaceId).find(each => each.id === id)
    if (found) return found
    throw new TermError('PM_TERM_NOT_FOUND', 'That command is not saved any more.')
  }

  /** From before there was a version. Its ids are its places, so that they are the same until it is written anew. */
  #older(workspaceId: string): SavedReading {
    const file = readJsonFile(this.#path(workspaceId, OLDER_FILE), OlderSavedCommands)
    if ('problem' in file) return { commands: [], problem: `${OLDER_FILE} ${file.problem}` }
    if ('missing' in file) return { commands: [], problem: null }
    const { content } = file
    const rows = Array.isArray(content) ? content : content.commands
    const at = new Date(0).toISOString()
    const commands = rows.map((row, i) => {
      const { name = '', command } = typeof row === 'string' ? { command: row } : row
      const called = (name.trim() || command.trim()).slice(0, LONGEST_NAME)
      return { id: `older_${i + 1}`, name: called, command, created_at: at, updated_at: at, last_used_at: null }
    })
    return { commands, problem: null }
  }

  /** For writing: nothing a person wrote is lost. */
  #sound(workspaceId: string): readonly SavedCommand[] {
    const { commands, problem } = this.read(workspaceId)
    if (problem === null) return commands
    throw new TermError('PM_TERM_INVALID_PAYLOAD', `${problem}. Fix or remove it first; nothing was changed.`, {
      details: { file: this.#path(workspaceId, FILE) },
    })
  }

  #new(name: string, command: string): SavedCommand {
    const at = this.#stamp()
    return { id: this.#deps.makeId(), name: name.trim(), command, created_at: at, updated_at: at, last_used_at: null }
  }

  #write(workspace_id: string, commands: readonly SavedCommand[]): void {
    const content: SavedCommandsFile = { workspace_id, schema_version: 1, commands: [...commands] }
    writeAtomically(this.#path(workspace_id, FILE), `${JSON.stringify(content, null, 2)}\n`)
  }

  #path(workspaceId: string, file: string): string {
    return join(this.#deps.dataDir, workspaceId, file)
  }

  #stamp(): string {
    return new Date(this.#deps.now()).toISOString()
  }
}
