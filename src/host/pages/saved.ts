import type { Ids } from '../../base/ids.ts'
import { TermError } from '../../contract/tool/errors.ts'
import type { SavedProject } from '../../contract/window/saved-frames.ts'
import type { WindowFrame } from '../../contract/window/window-frames.ts'
import type { RuleFiles } from '../../policy/files/rule-files.ts'
import type { TerminalActions } from '../desk/terminal-actions.ts'
import type { RulesDeps } from '../questions/ask-rules.ts'
import { answered, type HostPage, type PageWindow } from './page.ts'
import { proposeRules } from './propose-rules.ts'
import type { SavedCommandsFiles } from './saved-commands-files.ts'

export interface SavedPageDeps {
  readonly files: SavedCommandsFiles
  readonly rules: RulesDeps & { readonly ruleFiles: RuleFiles }
  readonly desk: Pick<TerminalActions, 'runLine'>
  readonly ids: Ids
}

type SavedFrame = Extract<WindowFrame, { type: `saved_${string}` }>
type ShownFrame = Extract<SavedFrame, { type: 'saved_run' | 'saved_propose' }>

/** The person's commands of their projects: kept, run as their own lines, and put forward as rules. */
export const savedPage = (deps: SavedPageDeps): HostPage => ({
  open: window => ({
    dispose() {},
    receive(frame) {
      if (!isSaved(frame)) return false
      const { request_id } = frame
      if (frame.type === 'saved_list') window.send({ type: 'saved_listed', request_id, projects: projectsOf(deps) })
      else if (frame.type === 'saved_run') void run(deps, window, frame)
      else void answered(window, request_id, { act: () => act(deps, window, frame), what: 'Nothing was changed' })
      return true
    },
  }),
})

const isSaved = (frame: WindowFrame): frame is SavedFrame => frame.type.startsWith('saved_')

function projectsOf({ files, rules: { ruleFiles } }: SavedPageDeps): SavedProject[] {
  return ruleFiles.workspaces().flatMap(id => {
    const directory = ruleFiles.directoryOf(id)
    if (directory === null) return []
    const { commands, problem } = files.read(id)
    return [{ workspace_id: id, directory, commands: [...commands], problem }]
  })
}

async function act(
  deps: SavedPageDeps,
  window: PageWindow,
  frame: Exclude<SavedFrame, { type: 'saved_list' | 'saved_run' }>,
): Promise<void> {
  const { files } = deps
  needProject(deps, frame.workspace_id)
  switch (frame.type) {
    case 'saved_save': {
      const { workspace_id, saved_id, name, command } = frame
      if (saved_id === null) files.add(workspace_id, { name, command })
      else files.change(workspace_id, saved_id, { name: name.trim(), command })
      return
    }
    case 'saved_delete':
      files.remove(frame.workspace_id, frame.saved_id)
      return
    case 'saved_propose':
      await propose(deps, window, frame)
  }
}

function needProject({ rules: { ruleFiles } }: SavedPageDeps, id: string): string {
  const directory = ruleFiles.directoryOf(id)
  if (directory !== null) return directory
  throw new TermError('PM_TERM_NOT_FOUND', `There is no project ${id}.`)
}

/** The line that is there is the one that was shown. */
function needShown({ files }: SavedPageDeps, { workspace_id, saved_id, command }: ShownFrame): void {
  if (files.find(workspace_id, saved_id).command === command) return
  throw new TermError('PM_TERM_INVALID_PAYLOAD', 'The file has another line by now. Look at it again; nothing ran.')
}

async function run(deps: SavedPageDeps, { send, by }: PageWindow, frame: Extract<SavedFrame, { type: 'saved_run' }>) {
  const { request_id, workspace_id, saved_id, command, terminal_id } = frame
  let terminalId: string | null = null
  await answered(
    { by, send: reply => send(reply.type === 'done' ? { ...reply, terminal_id: terminalId } : reply) },
    request_id,
    {
      what: 'It did not run',
      act: async () => {
        const cwd = needProject(deps, workspace_id)
        needShown(deps, frame)
        terminalId = await deps.desk.runLine({ terminalId: terminal_id, cwd, command }, by)
        deps.files.used(workspace_id, saved_id)
      },
    },
  )
}

/** The same question as for any other rule: what exactly would come, and the person says yes or no to it. */
async function propose(deps: SavedPageDeps, { by }: PageWindow, frame: ShownFrame): Promise<void> {
  needShown(deps, frame)
  const { workspace_id: workspaceId, command } = frame
  if (deps.rules.ruleFiles.patternsOf(workspaceId, 'base').includes(command)) return
  await proposeRules(deps, { page: by, workspaceId, added: [command] })
}
