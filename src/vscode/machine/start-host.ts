import { hostname } from 'node:os'
import type { Editor } from '../editor.ts'
import type { ProductCommand } from '../product/find-product.ts'
import type { Product } from '../product/product.ts'
import { whereInWords, whereRuns } from './where-runs.ts'

const OPEN = 'Open a terminal'
/** What a host in a container needs, in the words of docs/containers.md (docs/spec.md D25). */
const IN_CONTAINER =
  'A host does not start in a container by itself: there, everything that runs could reach it. If this container is the machine you work on (dev container, Codespaces, remote sandbox), declare it so: the command is typed into a terminal for you, you press Enter, and repeat the code that it shows. If it is not, run the host on your own machine and pair this container with it.'

/**
 * A person's act: the host runs in the foreground of a terminal of theirs, and shows its codes there. In a container the command is typed
 * and not sent: what it means is theirs to decide.
 */
export async function startHost(editor: Editor, product: Product): Promise<void> {
  const where = whereRuns(editor.env)
  const command = product.command()
  if (where.inContainer) {
    const detail = `${IN_CONTAINER}\n\n${whereInWords(where, hostname())}`
    const chosen = await editor.window.showInformationMessage(
      'This window works in a container',
      { modal: true, detail },
      OPEN,
    )
    if (chosen !== OPEN) return
  }

  const terminal = editor.window.createTerminal({
    name: 'Host of the terminals',
    isTransient: false,
    env: command.env,
  })
  terminal.show()
  terminal.sendText(typedCommand(command, where.inContainer ? '--here' : ''), !where.inContainer)
}

/** As a shell takes it. */
export function typedCommand({ program, args }: Pick<ProductCommand, 'program' | 'args'>, words: string): string {
  const quoted = [program, ...args].map(word => (/^[\w./@%+=:,\\-]+$/.test(word) ? word : `"${word}"`))
  return [...quoted, ...(words === '' ? [] : [words])].join(' ')
}
