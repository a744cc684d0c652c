import type { PanelAction } from '../../contract/window/editor-messages.ts'
import { type Editor, SECTION } from '../editor.ts'
import { waitingWords } from './status-words.ts'
import type { WaitingQuestions } from './waiting-questions.ts'

const REVIEW = 'Review'

/** Says that questions wait, without a word of any agent and without an answer in it: it only leads to the panel. */
export function notifyOfWaiting(editor: Editor, waiting: WaitingQuestions, review: () => void): void {
  if (!editor.workspace.getConfiguration(SECTION).get('notifications', true)) return
  void editor.window.showInformationMessage(waitingWords(waiting.count), REVIEW).then(chosen => {
    if (chosen === REVIEW) review()
  })
}

type InEditor = Exclude<PanelAction, 'code' | 'look'>

/** What the person asked of the editor on the page. `hereCommand`: what starts a host in this container. */
export function actInEditor(editor: Editor, action: InEditor, hereCommand: string | null): void {
  switch (action) {
    case 'start_host':
      void editor.commands.executeCommand('interactive-terminal.startHost')
      return
    case 'settings':
      void editor.commands.executeCommand('workbench.action.openSettings', SECTION)
      return
    case 'type_here_command': {
      if (hereCommand === null) return
      const terminal = editor.window.createTerminal({ name: 'Host of the terminals' })
      terminal.show()
      // Typed and not sent: a host in a container is an act of the person.
      terminal.sendText(hereCommand, false)
    }
  }
}

/** A link in what a run has printed, that the person followed; the editor asks about addresses it does not know. */
export function openLink(editor: Editor, url: string): void {
  const uri = editor.Uri.parse(url, true)
  if (uri.scheme === 'https' || uri.scheme === 'http') void editor.env.openExternal(uri)
}

export async function saveFile(
  editor: Editor,
  { name, text }: { readonly name: string; readonly text: string },
): Promise<void> {
  const [folder] = editor.workspace.workspaceFolders ?? []
  const where = await editor.window.showSaveDialog({
    ...(folder && { defaultUri: editor.Uri.joinPath(folder.uri, name.replaceAll(/[\\/]/g, '_')) }),
  })
  if (where) await editor.workspace.fs.writeFile(where, Buffer.from(text))
}
