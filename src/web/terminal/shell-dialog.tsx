import { useState } from 'preact/hooks'
import { PROFILES, type Profile } from '../../contract/profiles.ts'
import type { TerminalState } from '../../contract/wire/terminal-frames.ts'
import type { WindowController } from '../controller/window-controller.ts'
import type { Reply } from '../feed/host-requests.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Drawn } from '../parts/drawn.tsx'

const SIZE = { cols: 100, rows: 30 }

interface ShellForm {
  readonly profile: Profile
  readonly cwd: string
  readonly venv: string
}

/**
 * The person chooses what their shell is, where, and in which virtual environment. `instead`: the terminal whose shell begins anew,
 * or an agent's, which ends and stays the agent's: the shell comes up in a tab of its own.
 */
export function ShellDialog(props: {
  controller: WindowController
  instead: TerminalState | null
  onClose: () => void
}) {
  const { controller, instead } = props
  const [problem, say] = useState<string | null>(null)
  const isShell = instead?.state === 'shell'
  const submit = async (choice: ShellForm, close: () => void): Promise<void> => {
    say(null)
    const reply = await opened(controller, instead, choice)
    if (reply?.type === 'failed') say(reply.error.message)
    else if (reply?.type === 'done') {
      close()
      if (reply.terminal_id) controller.show({ view: 'terminal', terminalId: reply.terminal_id })
    }
  }
  return (
    <Dialog
      title={instead === null ? 'New terminal' : isShell ? 'Restart your shell' : 'Open your shell here'}
      mark={{ 'data-shell-dialog': true }}
      onClose={props.onClose}
    >
      {close => (
        <form
          class="space-y-3"
          onSubmit={event => {
            event.preventDefault()
            void submit(choiceIn(new FormData(event.currentTarget)), close)
          }}
        >
          <Ends terminal={instead} />
          <Fields controller={controller} terminal={instead} />
          {problem !== null && (
            <p role="alert" class="text-grave" data-problem>
              <Drawn text={problem} as="prose" />
            </p>
          )}
          <div class="flex justify-end gap-2 pt-1">
            <button type="button" class="button" onClick={close}>
              {instead === null || instead.state === 'idle' ? 'Cancel' : 'Keep it'}
            </button>
            {instead === null || instead.state === 'idle' ? (
              <button type="submit" class="button button-main" data-open-shell>
                Open
              </button>
            ) : (
              <button type="submit" class="button button-grave" data-close-terminal>
                End it
              </button>
            )}
          </div>
        </form>
      )}
    </Dialog>
  )
}

/** What ends is said first. */
function Ends({ terminal }: { terminal: TerminalState | null }) {
  if (terminal === null || terminal.state === 'idle') return null
  if (terminal.state === 'shell') return <p>It ends the shell in it, with everything it started.</p>
  return (
    <p>
      It ends{' '}
      <span class="font-mono">
        <Drawn text={(terminal.outcome?.command_executed ?? terminal.command) || 'what runs in it'} />
      </span>
      , with everything it started. Then your own shell opens in a tab of its own.
    </p>
  )
}

function Fields({ controller, terminal }: { controller: WindowController; terminal: TerminalState | null }) {
  const places = [...new Set(controller.state.value.terminals.map(({ cwd }) => cwd))]
  return (
    <>
      <label class="block">
        <span class="label">Shell</span>
        <select class="field" name="profile" defaultValue={terminal?.kind === 'shell' ? terminal.profile : 'system'}>
          {PROFILES.map(profile => (
            <option key={profile} value={profile} selected={profile === shellOf(terminal)}>
              {profile === 'system' ? 'system: your own shell' : profile}
            </option>
          ))}
        </select>
      </label>
      <label class="block">
        <span class="label">Directory</span>
        <input
          class="field font-mono"
          name="cwd"
          list="shell-places"
          autocomplete="off"
          spellcheck={false}
          placeholder="your home directory"
          defaultValue={terminal?.cwd ?? ''}
        />
      </label>
      <datalist id="shell-places">
        {places.map(place => (
          <option key={place} value={place} />
        ))}
      </datalist>
      <label class="block">
        <span class="label">Virtual environment (optional, Python)</span>
        <input
          class="field font-mono"
          name="venv"
          autocomplete="off"
          spellcheck={false}
          placeholder="none; .venv for example"
          defaultValue={terminal?.kind === 'shell' ? (terminal.venv ?? '') : ''}
        />
      </label>
    </>
  )
}

const shellOf = (terminal: TerminalState | null): string => (terminal?.kind === 'shell' ? terminal.profile : 'system')

function choiceIn(form: FormData): ShellForm {
  const text = (name: string): string => String(form.get(name) ?? '').trim()
  return { profile: text('profile') as Profile, cwd: text('cwd'), venv: text('venv') }
}

/** What ends, ends only when the shell could be opened: one who is told no has lost nothing. */
async function opened(
  controller: WindowController,
  instead: TerminalState | null,
  { profile, cwd, venv }: ShellForm,
): Promise<Reply | null> {
  const inVenv = venv === '' ? {} : { venv }
  if (instead?.kind === 'shell') {
    const { terminal_id } = instead
    return controller.ask({
      type: 'terminal_restart',
      terminal_id,
      profile,
      ...(cwd !== '' && { cwd }),
      ...inVenv,
    })
  }
  const reply = await controller.ask({
    type: 'terminal_create',
    profile,
    cwd: cwd === '' ? null : cwd,
    ...inVenv,
    workspace_id: null,
    ...SIZE,
  })
  if (instead !== null && reply?.type === 'done')
    await controller.ask({ type: 'terminal_restart', terminal_id: instead.terminal_id })
  return reply
}
