import type { CallerSurface } from '../contract/caller-surfaces.ts'
import type { Question } from '../contract/wire/approver-frames.ts'

/** Who asks, for the person: name and place are the client's own claim, the remark says so and whose key really spoke (docs/spec.md D14, D28). */
export interface WhoAsks {
  /** What it calls itself, never to be shown as if we had said it; null: it has no name. */
  readonly claims: string | null
  /** From where it says it calls, in an editor extension for example; null: it says nothing. */
  readonly from: string | null
  readonly remark: string
}

type QuestionOrigin = Pick<Question, 'client' | 'requester'> & { readonly caller_surface?: CallerSurface | undefined }

export function whoAsks({ client, requester, caller_surface }: QuestionOrigin): WhoAsks {
  const from = caller_surface === undefined ? null : FROM[caller_surface]
  if (isFromFiles(requester)) return { claims: null, from, remark: byKey(requester) }
  return { claims: client || null, from, remark: [...claimed(client, from), byKey(requester)].join(' ') }
}

const FROM: Readonly<Record<CallerSurface, string>> = {
  server: 'through an MCP server',
  extension: 'in an editor extension',
  dashboard: 'in a dashboard',
  chat_button: 'by a button in a chat',
}

function claimed(client: string, from: string | null): string[] {
  if (client !== '' && from !== null) return ['The name and from where it calls are its own claims, not checked.']
  if (from !== null) return ['From where it calls is its own claim, not checked.']
  return client === '' ? [] : ['The name is its own claim, not checked.']
}

/** What to know about whoever asked before approving; null: nothing. */
export const askerNews = ({ asker_state }: Pick<Question, 'asker_state'>): string | null =>
  asker_state === 'gone_on' ? 'The agent has gone on meanwhile: it may no longer expect this.' : null

/** Above or below what the agent says about it. */
export const AGENTS_WORDS = 'The agent’s own words, not checked'

/** The name a client is paired by, which its key proved; null: a program of the person, or the person. */
export const pairedName = (requester: string): string | null =>
  requester === 'local' || requester === 'person' || isFromFiles(requester) ? null : requester

/** Nobody asks: a file says more than a person decided. */
export const isFromFiles = (requester: string): boolean => requester === 'own files' || requester === 'rule file'

function byKey(requester: string): string {
  if (requester === 'local') return 'It is a program of yours on this machine.'
  if (requester === 'person') return 'It is you.'
  if (isFromFiles(requester)) return 'No agent asks: it is in a file of yours.'
  return `It asks from the container ${requester}; the command runs on this machine, not in the container.`
}
