import type { FoundQuestion } from '../contract/wire/approver-frames.ts'

/** What a card says about rows that stand in files and that nobody is known to have decided. */
export const FOUND_SAYS: Readonly<Record<FoundQuestion['when'], string>> = {
  start:
    'This stands in your files and differs from what you had decided when the host last ended in order. None of it counts until you say so.',
  now: 'Somebody wrote this into your files, not you here. None of it counts until you say so.',
}

export const FOUND_NAMES: Readonly<Record<FoundQuestion['rows'][number]['what'], string>> = {
  workspace: 'Folder',
  rule: 'Rule',
  pairing: 'Client',
  program: 'Program',
}
