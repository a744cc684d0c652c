import type { ToWindow } from '../../contract/window/window-frames.ts'
import type { PagePlace } from '../controller/window-controller.ts'

type FilePart = Extract<ToWindow, { type: 'history_exported' }>

interface ExportedFile {
  readonly name: string
  readonly parts: readonly string[]
}

/** All parts of a file; null: the host did not answer, or could not. Then there is none: half of one would pass for all of it. */
export async function exportedFile(
  ask: (after: string | null) => Promise<FilePart | null>,
): Promise<ExportedFile | null> {
  const parts: string[] = []
  for (let after: string | null = null; ; ) {
    const part: FilePart | null = await ask(after)
    if (part === null) return null
    parts.push(part.text)
    if (part.next === null) return { name: part.name, parts }
    after = part.next
  }
}

export function saveFile({ name, parts }: ExportedFile, place: PagePlace): void {
  // A panel has no downloads: the editor asks where to.
  if (place.kind === 'editor') {
    place.save({ name, text: parts.join('') })
    return
  }
  const address = URL.createObjectURL(new Blob([...parts], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser has taken it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
