import { Download } from 'lucide'
import { useState } from 'preact/hooks'
import type { HistoryItem } from '../../contract/window/history-frames.ts'
import type { WindowController } from '../controller/window-controller.ts'
import { Icon } from '../parts/icon.tsx'
import { exportedFile, saveFile } from './exported-file.ts'

const CHOICES = {
  text: { words: 'Text', format: 'text', version: 3 },
  json: { words: 'JSON', format: 'json', version: 3 },
  cast3: { words: 'asciicast v3', format: 'asciicast', version: 3 },
  cast2: { words: 'asciicast v2', format: 'asciicast', version: 2 },
} as const
type ExportChoice = keyof typeof CHOICES

interface As {
  readonly format: 'text' | 'json' | 'asciicast'
  readonly version: 2 | 3
}

export function exportOf(
  controller: WindowController,
  { requester, session_id }: HistoryItem,
  { format, version }: As,
) {
  return exportedFile(after =>
    controller.query(
      { type: 'history_export', requester, session_id, format, cast_version: version, after },
      'history_exported',
    ),
  )
}

/** Saves the run as a file that the page makes: nothing is loaded from anywhere but the host's feed. */
export function ExportMenu({ controller, item }: { controller: WindowController; item: HistoryItem }) {
  const [choice, setChoice] = useState<ExportChoice>('text')
  const [busy, setBusy] = useState(false)
  const save = async (): Promise<void> => {
    setBusy(true)
    const file = await exportOf(controller, item, CHOICES[choice])
    setBusy(false)
    if (file) saveFile(file, controller.place)
  }
  return (
    <span class="flex items-center gap-1.5">
      <select
        class="field h-7 w-32 rounded-md px-2 py-0 text-[13px]"
        aria-label="Export as"
        value={choice}
        data-export-as
        onChange={({ currentTarget }) => setChoice(currentTarget.value as ExportChoice)}
      >
        {Object.entries(CHOICES).map(([name, { words }]) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
      </select>
      <button type="button" class="button button-small" aria-disabled={busy} data-export onClick={() => busy || save()}>
        <Icon of={Download} size={14} /> {busy ? 'Exporting…' : 'Export'}
      </button>
    </span>
  )
}
