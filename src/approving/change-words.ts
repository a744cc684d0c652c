import type { FoundQuestion, Question } from '../contract/wire/approver-frames.ts'
import { TRUST_MEANS } from './choices.ts'

type RulesQuestion = Extract<Question, { kind: 'rules' }>

/** Where rules would count; drawn, it names a directory. */
export function rulesCountIn({ layer, workspace_id, workspace_directory }: RulesQuestion): string {
  const lanes =
    layer === 'headless' ? 'Counts only in headless runs.' : 'Counts in both lanes, interactive and headless.'
  if (workspace_id === null) return `${lanes} It names no workspace.`
  const place = workspace_directory === null ? 'bound to no directory yet.' : `inside ${workspace_directory}`
  return `${lanes} Workspace ${workspace_id}, ${place}`
}

/** What becomes of the directory that a change of rules binds; the directory is drawn behind it. */
export function bindsTo({ trusted, tries }: NonNullable<RulesQuestion['binds']>): string {
  if (tries !== undefined) return tries ? 'Try first, in the sandbox, in' : 'Try nothing any more in'
  return trusted ? 'Trust' : 'Make a workspace, without trust, of'
}

/** What it means that a folder tries first. */
export const TRY_MEANS =
  'What no rule covers runs there without a question, in a sandbox: it can read the folder but nothing called like a secret, change nothing, and reach neither the network nor your other files. What fails for want of that is asked about as usual.'

/** What is to be known about what a change of rules binds. */
export const bindMeans = ({ trusted, tries }: NonNullable<RulesQuestion['binds']>): string | null =>
  tries ? TRY_MEANS : trusted && tries === undefined ? TRUST_MEANS : null

export const PAIRING_MEANS =
  'Whoever holds its key may then ask to run commands here, under that name. It sees only its own runs.'

export const setupMeans = (target: string): string =>
  `Lines with + are added, lines with - are removed. They decide what ${target} may do without asking you.`

/** What a card says about rows in files that nobody is known to have decided. */
export const FOUND_SAYS: Readonly<Record<FoundQuestion['when'], string>> = {
  start:
    'This is in your files and differs from what you had decided when the host last ended in order. None of it counts until you say so.',
  now: 'Somebody wrote this into your files, not you here. None of it counts until you say so.',
}

export const FOUND_NAMES: Readonly<Record<FoundQuestion['rows'][number]['what'], string>> = {
  workspace: 'Folder',
  rule: 'Rule',
  pairing: 'Client',
  program: 'Program',
}

export const FOUND_DECLINED = 'Decline: nothing of it counts, and the files stay as they are.'

/** null: these are all. */
export const foundMore = ({ more }: Pick<FoundQuestion, 'more'>): string | null =>
  more > 0 ? `You are asked about ${more} more after these.` : null
