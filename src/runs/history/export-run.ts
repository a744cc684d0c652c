import { castOf } from './export-cast.ts'
import { jsonOf } from './export-json.ts'
import { textOf } from './export-text.ts'
import type { ExportedRun } from './exported-run.ts'

export const EXPORT_FORMATS = ['text', 'json', 'asciicast'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** A run as a file, in pieces: however much it printed, a part of it is in memory. Nothing is left out, and what is gone is said. */
export function exportRun(run: ExportedRun, format: ExportFormat, castVersion: 2 | 3): AsyncGenerator<string> {
  switch (format) {
    case 'text':
      return textOf(run)
    case 'json':
      return jsonOf(run)
    case 'asciicast':
      return castOf(run, castVersion)
  }
}

/** How the file is called; an id may have a colon, which not every system takes. */
export const exportName = (id: string, format: ExportFormat): string =>
  `${id.replaceAll(':', '_')}.${{ text: 'txt', json: 'json', asciicast: 'cast' }[format]}`
