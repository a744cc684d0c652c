import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import type { Editor } from '../editor.ts'

/** On which machine commands of this window run: the extension, its terminals and its host are all there. */
export interface WhereRuns {
  /** As the card and the status bar say it: "Visual Studio Code, on build01 (ssh)". */
  readonly name: string
  readonly remote: string | null
  readonly inContainer: boolean
}

/** Kinds of remote windows whose machine is a container. */
const CONTAINERS = ['dev-container', 'attached-container', 'codespaces', 'k8s-container']
const WORDS: Readonly<Record<string, string>> = { 'ssh-remote': 'ssh', 'dev-container': 'dev container' }

export function whereRuns(
  { appName, remoteName }: Pick<Editor['env'], 'appName' | 'remoteName'>,
  look: { readonly exists: (path: string) => boolean; readonly host: string } = {
    exists: existsSync,
    host: hostname(),
  },
): WhereRuns {
  const remote = remoteName ?? null
  const inContainer =
    CONTAINERS.includes(remote ?? '') || ['/.dockerenv', '/run/.containerenv'].some(mark => look.exists(mark))
  const kind = remote === null ? '' : ` (${WORDS[remote] ?? remote})`
  const name = remote === null ? appName : `${appName}, on ${look.host}${kind}`
  return { name, remote, inContainer }
}

/** For a person who wants to know before they approve. */
export const whereInWords = ({ remote, inContainer }: WhereRuns, host: string): string =>
  [
    `Commands of this window run on ${host}${remote === null ? ', this computer' : `, not on the computer in front of you (${WORDS[remote] ?? remote})`}.`,
    ...(inContainer ? ['That is a container: everything in it can reach what runs there.'] : []),
  ].join(' ')
