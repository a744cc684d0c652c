import type { AdmissionPrompts, CodeShown } from '../../admission/seek-admission.ts'
import { drawnText } from '../../contract/drawn-text.ts'
import type { Editor } from '../editor.ts'

type AskingEditor = Pick<Editor, 'CancellationTokenSource' | 'window'>

const TITLE = 'Admit this editor as an approver'

/** Asks the person in the editor for what admits it: in a field that stays while they look elsewhere for the code. */
export function editorPrompts(editor: AskingEditor): AdmissionPrompts {
  return {
    code: ({ problem, shown }, signal) =>
      ask(editor, signal, {
        title: TITLE,
        prompt: problem ?? whereTheCodeIs(shown),
        placeHolder: '000 000 000',
      }),
    passphrase: ({ problem, orCode }, signal) =>
      ask(editor, signal, {
        title: TITLE,
        prompt: [
          problem ?? 'Your approver passphrase. Other extensions of this editor could read it: a code is better.',
          ...(orCode ? ['Nothing typed: another code is shown.'] : []),
        ].join(' '),
        password: true,
      }),
  }
}

async function ask(
  editor: AskingEditor,
  signal: AbortSignal,
  how: { title: string; prompt: string; placeHolder?: string; password?: true },
): Promise<string | null> {
  const cancel = new editor.CancellationTokenSource()
  const stop = (): void => cancel.cancel()
  signal.addEventListener('abort', stop, { once: true })
  try {
    return (await editor.window.showInputBox({ ...how, ignoreFocusOut: true }, cancel.token)) ?? null
  } finally {
    signal.removeEventListener('abort', stop)
    cancel.dispose()
  }
}

function whereTheCodeIs({ shown_in, expires_in_ms, passphrase_then }: CodeShown): string {
  const seconds = Math.round(expires_in_ms / 1000)
  const then = passphrase_then ? 'the passphrase is taken as well' : 'another code is shown'
  if (shown_in.length === 0) return `No code can be shown now. In ${seconds} s ${then}.`
  return `Type the code of nine digits that is shown in: ${shown_in.map(drawnText).join(', ')}.`
}
