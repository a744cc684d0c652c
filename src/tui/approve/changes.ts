import pc from 'picocolors'
import { FOUND_NAMES, FOUND_SAYS } from '../../approving/found-words.ts'
import { isFromFiles } from '../../approving/who-asks.ts'
import { toType } from '../../base/own-command.ts'
import type { Question } from '../../contract/wire/approver-frames.ts'
import { bindRows } from './choices.ts'
import { drawn, wrapped } from './drawn.ts'
import { numbered, row } from './rows.ts'

/** Questions that are no commands: each would change what may run, or who may ask. */
export function changeRows(q: Exclude<Question, { kind: 'command' }>, columns: number): string[] {
  switch (q.kind) {
    case 'rules':
      return rules(q, columns)
    case 'pairing':
      return pairing(q, columns)
    case 'setup':
      return setup(q, columns)
    case 'found':
      return found(q, columns)
  }
}

function rules(q: Extract<Question, { kind: 'rules' }>, columns: number): string[] {
  return [
    pc.bold(
      `${isFromFiles(q.requester) ? 'Files of yours would' : 'An agent asks to'} change what runs without asking (${q.layer === 'headless' ? 'headless only' : 'both lanes'}):`,
    ),
    ...bindRows(q, columns),
    ...q.added.flatMap(pattern => row('+ allow', pattern, columns)),
    ...q.removed.flatMap(pattern => row('- remove', pattern, columns)),
    '',
    ...row('directory', q.workspace_directory ?? 'none is bound to this workspace', columns),
  ]
}

function pairing(q: Extract<Question, { kind: 'pairing' }>, columns: number): string[] {
  return [
    pc.bold('Somebody asks to be let in by name, a container for example:'),
    ...row('+ pair', q.name, columns),
    '',
    ...row('means', 'whoever holds its key may ask you to run commands here, and reads its own runs', columns),
    ...row('later', toType(`pair --revoke ${q.name}`), columns),
  ]
}

function setup(q: Extract<Question, { kind: 'setup' }>, columns: number): string[] {
  return [
    ...wrapped(drawn(`It asks to change ${q.target}’s own files:`), columns).map(words => pc.bold(words)),
    ...q.files.flatMap(({ file, lines }) => [
      '',
      ...row('file', file, columns),
      ...numbered(lines.join('\n'), columns),
    ]),
    '',
    ...row('means', 'lines with + come, lines with - go: what that client may do without asking you', columns),
  ]
}

function found(q: Extract<Question, { kind: 'found' }>, columns: number): string[] {
  return [
    ...wrapped(FOUND_SAYS[q.when], columns).map(words => pc.bold(words)),
    ...q.rows.flatMap(({ what, text, means, file }) => [
      '',
      ...row(FOUND_NAMES[what], text, columns),
      ...row('', means, columns),
      ...row('', file, columns),
    ]),
    '',
    ...row('yes', 'all of it counts from now on', columns),
    ...row('no', 'nothing of it counts; the files stay as they are', columns),
    ...row('in part', 'row by row in the window', columns),
    ...(q.more > 0 ? row('more', `${q.more} more are asked for after these`, columns) : []),
  ]
}
