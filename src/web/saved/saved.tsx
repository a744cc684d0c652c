import { useEffect, useState } from 'preact/hooks'
import type { SavedCommand } from '../../contract/disk/saved-commands.ts'
import type { SavedProject } from '../../contract/window/saved-frames.ts'
import type { WindowController } from '../controller/window-controller.ts'
import { Drawn } from '../parts/drawn.tsx'
import { PageFrame } from '../parts/page-frame.tsx'
import { SureDialog } from '../parts/sure-dialog.tsx'
import { type ChosenShell, RunIn } from './run-in.tsx'

/** The person's commands, project by project: save, change, run in a shell of theirs, put forward as a rule, delete. */
export function Saved({ controller }: { controller: WindowController }) {
  const [projects, list] = useState<readonly SavedProject[] | null>(null)
  const [target, aim] = useState<ChosenShell>(null)
  const [deleting, remove] = useState<{ readonly project: SavedProject; readonly saved: SavedCommand } | null>(null)
  const isConnected = controller.state.value.link.at === 'open'
  // Again when a dialog that may have changed something is closed.
  const isSaving = controller.saving.value !== null
  const load = (): void => {
    void controller.query({ type: 'saved_list' }, 'saved_listed').then(reply => reply && list(reply.projects))
  }
  useEffect(() => {
    if (isConnected && !isSaving) load()
  }, [isConnected, isSaving])

  const [first] = projects ?? []
  const tools = (
    <>
      <RunIn controller={controller} target={target} aim={aim} />
      {first && (
        <button
          type="button"
          class="button button-small button-main"
          data-save-new
          onClick={() => {
            controller.saving.value = { saved: null, command: '', workspaceId: first.workspace_id }
          }}
        >
          Save a command…
        </button>
      )}
    </>
  )
  return (
    <PageFrame name="saved" title="Saved commands" tools={tools}>
      <div class="max-w-4xl space-y-7">
        {projects?.length === 0 && <NoProject />}
        {projects?.map(project => (
          <Project
            key={project.workspace_id}
            controller={controller}
            project={project}
            target={target}
            changed={load}
            remove={saved => remove({ project, saved })}
          />
        ))}
      </div>
      {deleting && (
        <SureDialog
          title={
            <>
              Delete <Drawn text={deleting.saved.name} as="prose" />?
            </>
          }
          does="Delete"
          mark={{ 'data-delete-saved': true }}
          onSure={() => {
            const { project, saved } = deleting
            const about = { workspace_id: project.workspace_id, saved_id: saved.id }
            void controller.ask({ type: 'saved_delete', ...about }).then(load)
          }}
          onClose={() => remove(null)}
        >
          <p class="font-mono text-[13px]">
            <Drawn text={deleting.saved.command} />
          </p>
        </SureDialog>
      )}
    </PageFrame>
  )
}

const NoProject = () => (
  <p class="text-soft">
    Commands are saved for a project, and there is none yet. Trust a folder on a card (T), or add it on the page Rules.
  </p>
)

interface SavedProjectProps {
  readonly controller: WindowController
  readonly project: SavedProject
  readonly target: ChosenShell
  readonly changed: () => void
  readonly remove: (saved: SavedCommand) => void
}

function Project(props: SavedProjectProps) {
  const { workspace_id, directory, commands, problem } = props.project
  return (
    <section aria-label={`Saved commands of ${workspace_id}`} data-project={workspace_id}>
      <h2 class="font-semibold">
        <Drawn text={workspace_id} />{' '}
        <span class="font-mono text-[12px] font-normal text-soft">
          <Drawn text={directory} />
        </span>
      </h2>
      {problem !== null && (
        <p class="mt-1 text-grave" role="alert" data-problem>
          <Drawn text={problem} as="prose" />. It is left as it is: fix or remove it.
        </p>
      )}
      {problem === null && commands.length === 0 && <p class="mt-1 text-soft">None is saved here.</p>}
      <ul class="mt-2 divide-y divide-line rounded-xl border border-line empty:hidden">
        {commands.map(saved => (
          <Row key={saved.id} {...props} saved={saved} />
        ))}
      </ul>
    </section>
  )
}

/** The whole line is shown beside its name: that is what runs, whatever it is called. */
function Row({ controller, project, target, changed, remove, saved }: SavedProjectProps & { saved: SavedCommand }) {
  const { workspace_id } = project
  const { id: saved_id, name, command, last_used_at } = saved
  const shown = { workspace_id, saved_id, command }
  const run = async (): Promise<void> => {
    const reply = await controller.ask({ type: 'saved_run', ...shown, terminal_id: target })
    if (reply?.type === 'done' && reply.terminal_id)
      controller.show({ view: 'terminal', terminalId: reply.terminal_id })
    else changed()
  }
  const propose = async (): Promise<void> => {
    const reply = await controller.ask({ type: 'saved_propose', ...shown })
    if (reply?.type === 'done')
      controller.say('plain', 'The question is in the list: nothing is allowed before your answer.')
    else changed()
  }
  return (
    <li class="flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-2.5" data-saved={saved_id}>
      <div class="min-w-0 grow basis-64">
        <p class="font-medium">
          <Drawn text={name} as="prose" />
        </p>
        <p class="max-h-40 overflow-y-auto font-mono text-[13px]" data-saved-line>
          <Drawn text={command} exact />
        </p>
        <p class="text-[12px] text-soft">
          {last_used_at === null ? 'never run from here' : `last run ${when(last_used_at)}`}
        </p>
      </div>
      <div class="flex flex-wrap gap-1.5">
        <button
          type="button"
          class="button button-small button-main"
          aria-label={`Run ${name}`}
          onClick={() => void run()}
        >
          Run
        </button>
        <button
          type="button"
          class="button button-small"
          aria-label={`Edit ${name}`}
          onClick={() => {
            controller.saving.value = { saved, command, workspaceId: workspace_id }
          }}
        >
          Edit
        </button>
        <button
          type="button"
          class="button button-small"
          aria-label={`Allow ${name} without asking…`}
          title="Puts the question whether it becomes a rule of this project"
          onClick={() => void propose()}
        >
          Allow…
        </button>
        <button type="button" class="button button-small" aria-label={`Delete ${name}`} onClick={() => remove(saved)}>
          Delete
        </button>
      </div>
    </li>
  )
}

const when = (iso: string): string =>
  new Date(iso).toLocaleString([], { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' })
