import { handsOver } from '../reads/handed-files.ts'

/** The programs a command starts, as far as its words name them: its own, and the one that is handed what it finds. */
export const programsIn = (argv: readonly string[]): readonly string[] => [
  ...argv.slice(0, 1),
  ...(handsOver(argv)?.reader.slice(0, 1) ?? []),
]
