import type { Settings } from '../../config/env.ts'
import type { Line } from '../../policy/judge/line.ts'
import type { Shell } from '../../policy/model/reading.ts'
import type { Verdict } from '../../policy/model/verdict.ts'
import type { Workspace } from '../../policy/rules/rules.ts'
import type { Jail } from '../../runs/jail/jail.ts'
import type { TryFirst } from '../../runs/jail/try-first.ts'
import { unsafeCarried } from '../terminals/carry.ts'
import type { Judgeable } from './judged-once.ts'

interface ToTry {
  readonly prepared: {
    readonly frame: { readonly approval_required?: boolean | undefined }
    readonly terminal: { readonly env: Readonly<Record<string, string | null>> }
  }
  readonly run: Judgeable
  readonly line: Line & { readonly shell: Shell }
  readonly workspace: Workspace
  readonly path: string
  readonly isDeclined: () => boolean
}

/** In a folder where the person wants that. What an asker, a terminal or a person's own no makes stricter is asked about. */
export function triedHere(
  { tries, settings }: { readonly tries: TryFirst; readonly settings: Pick<Settings, 'PM_TERM_AUTO_APPROVE'> },
  verdict: Verdict,
  { prepared, run, line, workspace, path, isDeclined }: ToTry,
): { readonly verdict: Verdict; readonly jail: Jail | null } {
  const { frame, terminal } = prepared
  const isStrict =
    frame.approval_required === true ||
    settings.PM_TERM_AUTO_APPROVE === 'never' ||
    unsafeCarried(terminal.env).length > 0 ||
    isDeclined()
  if (isStrict) return { verdict, jail: null }
  const shell = line.args ? 'none' : line.shell
  return tries.judge({ line: { ...line, shell }, verdict, workspace, path, before: run.sandbox ?? null })
}
