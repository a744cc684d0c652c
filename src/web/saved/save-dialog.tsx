import { useEffect, useState } from 'preact/hooks'
import type { SavedProject } from '../../contract/window/saved-frames.ts'
import type { Saving, WindowController } from '../controller/window-controller.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Drawn } from '../parts/drawn.tsx'

/** A command is kept under a name for a project: one from a card or a run, one that is typed, or another version of one that is there. */
export function SaveDialog({ controller, saving }: { controller: WindowController; saving: Saving }) {
  const [projects, list] = useState<readonly SavedProject[] | null>(null)
  const [problem, say] = useState<string | null>(null)
  useEffect(() => {
    void controller.query({ type: 'saved_list' }, 'saved_listed').then(reply => reply && list(reply.projects))
  }, [controller])
  const { saved } = saving

  const submit = async (form: FormData, close: () => void): Promise<void> => {
    const text = (name: string): string => String(form.get(name) ?? '').trim()
    const command = text('command')
    const reply = await controller.ask({
      type: 'saved_save',
      workspace_id: text('project'),
      saved_id: saved?.id ?? null,
      name: text('name') || command.slice(0, 60),
      command,
    })
    if (reply?.type === 'failed') say(reply.error.message)
    else if (reply?.type === 'done') close()
  }
  const close = (): void => {
    controller.saving.value = null
  }
  return (
    <Dialog
      title={saved ? 'Change a saved command' : 'Save a command'}
      mark={{ 'data-save-dialog': true }}
      onClose={close}
    >
      {shut => (
        <form
          class="space-y-3"
          onSubmit={event => {
            event.preventDefault()
            void submit(new FormData(event.currentTarget), shut)
          }}
        >
          {projects?.length === 0 && (
            <p class="text-open" role="alert">
              There is no project to save it for. Trust the folder on a card first (T).
            </p>
          )}
          <Fields saving={saving} projects={projects ?? []} />
          {problem !== null && (
            <p role="alert" class="text-grave" data-problem>
              <Drawn text={problem} as="prose" />
            </p>
          )}
          <div class="flex justify-end gap-2 pt-1">
            <button type="button" class="button" onClick={shut}>
              Cancel
            </button>
            <button type="submit" class="button button-main" aria-disabled={!projects?.length} data-save>
              Save
            </button>
          </div>
        </form>
      )}
    </Dialog>
  )
}

function Fields({
  saving: { saved, command, workspaceId },
  projects,
}: {
  saving: Saving
  projects: readonly SavedProject[]
}) {
  return (
    <>
      <label class="block">
        <span class="label">Name</span>
        <input class="field" name="name" autocomplete="off" maxLength={120} defaultValue={saved?.name ?? ''} />
      </label>
      <label class="block">
        <span class="label">Command</span>
        <textarea class="field font-mono" name="command" rows={3} required spellcheck={false} defaultValue={command} />
      </label>
      <label class="block">
        <span class="label">Project</span>
        <select class="field" name="project" required>
          {projects
            .filter(({ workspace_id }) => saved === null || workspace_id === workspaceId)
            .map(({ workspace_id, directory }) => (
              <option key={workspace_id} value={workspace_id} selected={workspace_id === workspaceId}>
                {workspace_id} ({directory})
              </option>
            ))}
        </select>
      </label>
    </>
  )
}
