import pc from 'picocolors'
import { OWN_SHELL } from '../../approving/own-shell.ts'
import type { Question } from '../../contract/wire/approver-frames.ts'
import { proseRows } from './drawn.ts'
import { bodyRows, changedRows, laterRows, notShownRows, numbered, reachRows, row, verdictRows } from './rows.ts'
import { variableRows, warningRows } from './variables.ts'

/** Everything that would run and where, the command first. */
export function commandRows(q: Extract<Question, { kind: 'command' }>, columns: number, revealed: boolean): string[] {
  const opens = q.intent === 'open_only'
  const title = opens ? 'An agent asks to open a shell of yours.' : 'An agent asks to run:'
  return [
    ...changedRows(q, columns),
    pc.bold(title),
    ...(opens ? [] : numbered(q.command, columns)),
    ...(q.args ?? []).flatMap((arg, i) => numbered(arg, columns, `arg ${i + 1}`)),
    '',
    ...reachRows(q.reaches, columns),
    ...(q.grave ? [pc.red(pc.bold('Hard to undo. It has to be typed out.')), ''] : []),
    ...(q.typed_into_shell ? [...proseRows(OWN_SHELL, columns).map(words => pc.yellow(pc.bold(words))), ''] : []),
    ...warningRows(q.env, columns),
    ...verdictRows(q.verdict, q, columns),
    ...bodyRows(q.stands_for, columns),
    ...notShownRows(q.not_shown, columns),
    ...row('directory', q.cwd, columns),
    ...row(
      'shell',
      [
        q.typed_into_shell ? `your own ${q.shell}, as it stands now` : q.shell,
        ...(q.venv === null ? [] : [`venv ${q.venv}`]),
      ].join(' · '),
      columns,
    ),
    ...(q.executables.length > 0 ? row('programs', q.executables.join(', '), columns) : []),
    ...laterRows(q.found_when_run, columns),
    ...variableRows(q.env, revealed, columns),
    ...(q.kill_after_ms === null ? [] : row('ends', `killed after ${q.kill_after_ms} ms`, columns)),
  ]
}
