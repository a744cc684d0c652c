import type { EditorLink } from '../../contract/window/editor-messages.ts'

/** What the status bar says. `tone`: whether something is wanted of the person. */
export interface StatusWords {
  readonly text: string
  readonly tooltip: string
  readonly tone: 'plain' | 'wanted'
}

/** `waiting`: questions that wait for an answer. */
export function statusWords(link: EditorLink, waiting: number): StatusWords {
  switch (link.at) {
    case 'looking':
      return { text: '$(terminal)', tooltip: 'Looking for the host', tone: 'plain' }
    case 'no_host':
      return link.why === null
        ? { text: '$(circle-slash) no host', tooltip: 'No host runs. It starts when an agent needs it.', tone: 'plain' }
        : { text: '$(error) not found', tooltip: link.why, tone: 'wanted' }

    case 'no_host_in_container':
      return {
        text: '$(circle-slash) no host',
        tooltip: 'This window is in a container, and no host runs here. Open the panel for what you can do.',
        tone: 'plain',
      }
    case 'other_version':
      return {
        text: '$(warning) other version',
        tooltip: `The host is ${link.host}, this extension ${link.extension}: update the older one.`,
        tone: 'wanted',
      }

    case 'not_admitted':
      return {
        text: '$(key) not admitted',
        tooltip: 'A host runs. Admit this editor, to answer here what agents ask.',
        tone: 'plain',
      }
    case 'asking':
      return { text: '$(key) type the code', tooltip: 'Type the code that is shown elsewhere.', tone: 'wanted' }

    case 'admitted':
      return waiting === 0
        ? { text: '$(check) connected', tooltip: 'No commands waiting.', tone: 'plain' }
        : { text: `$(bell-dot) ${waiting} waiting`, tooltip: waitingWords(waiting), tone: 'wanted' }
  }
}

/** Nothing an agent wrote: an editor makes links of what it finds in a notification. */
export const waitingWords = (waiting: number): string =>
  waiting === 1 ? '1 question waits for your answer.' : `${waiting} questions wait for your answer.`
