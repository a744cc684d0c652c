import { lastLine } from '../../src/base/output/last-line.ts'
import type { AnyResponse } from '../../src/contract/tool/response.ts'
import type { Called } from '../drivers/mcp-client.ts'
import type { SentCall } from './wrong-call.ts'

/** The two forms of an answer; every real client shows its model only one of them. */
export type Form = 'text' | 'json'

/** What a model takes from an answer. */
export interface Seen {
  /** The error, if it is one. */
  readonly refused: string | null
  /** The error's own words. */
  readonly said: string
  readonly state: 'running' | 'exited' | 'killed' | 'lost' | 'asked' | null
  readonly exitCode: number | null
  readonly session: string | null
  readonly terminal: string | null
  readonly output: string
  readonly found: readonly string[]
  /** What the program waits for, and its question. */
  readonly waits: 'line' | 'key' | 'secret' | null
  readonly question: string
  /** What ended the wait. */
  readonly waited: string | null
  readonly runs: readonly { readonly session: string; readonly state: string; readonly command: string }[]
  readonly next: SentCall | null
}

/** `tool`: the one that was called; a ready-made call that names none is for it. */
export const readAnswer = (answer: Called, form: Form, tool: string): Seen =>
  form === 'text' ? fromText(answer.text, tool) : fromJson(answer.data)

const STATES: readonly [RegExp, Seen['state']][] = [
  [/^Running\./m, 'running'],
  [/^Exit code -?\d+|^Ended/m, 'exited'],
  [/^Killed by/m, 'killed'],
  [/^Lost:/m, 'lost'],
  [/^Waiting for a person/m, 'asked'],
]

/** Only what stands outside the output is the terminal's own word. */
function fromText(text: string, called: string): Seen {
  const [, before = text, output = '', after = ''] =
    /^([\s\S]*?)^-{3,} data[^\n]*\n([\s\S]*?)^-{3,} end$([\s\S]*)$/m.exec(text) ?? []
  const own = `${before}\n${after}`
  const [, asked, sent, call] = [...own.matchAll(/(?:ask with (\w+)|Send (\w+) with|with) (\{.*\})$/gm)].at(-1) ?? []
  const waits = /It (?:waits for (a line of input|keys)|asks for a (secret))(?:: "(.*)")?\./.exec(own)
  const isSearch = /^-{3,} data: lines found$/m.test(text)

  return {
    refused: /^(PM_TERM_\w+):/.exec(text)?.[1] ?? null,
    said: /^PM_TERM_\w+: (.*)/.exec(text)?.[1] ?? '',
    state: STATES.find(([words]) => words.test(own))?.[1] ?? null,
    exitCode: numberOr(/^Exit code (-?\d+)/m.exec(own)?.[1]),
    session: /\(session (\S+?)(?=[,)]| in )/.exec(own)?.[1] ?? null,
    terminal: /, terminal (\S+?)(?=\)| in )/.exec(own)?.[1] ?? null,
    output,
    found: isSearch ? [...output.matchAll(/^@\d+: (.*)$/gm)].map(([, line = '']) => line) : [],
    waits: waits ? (waits[2] ? 'secret' : waits[1] === 'keys' ? 'key' : 'line') : null,
    question: waits?.[3] ?? '',
    waited: /^\[waited until: (\w+)/m.exec(own)?.[1] ?? null,
    runs: [...own.matchAll(/^(\S+) {2}([a-z_]+)(?: -?\d+)? {2}(.*?)(?: {2}in .*)?$/gm)].map(
      ([, session = '', state = '', command = '']) => ({ session, state, command }),
    ),
    next:
      call === undefined
        ? null
        : { tool: asked ?? sent ?? called, arguments: JSON.parse(call) as Record<string, unknown> },
  }
}

const numberOr = (text: string | undefined): number | null => (text === undefined ? null : Number(text))

const OF_STATE: Readonly<Record<string, Seen['state']>> = { awaiting_approval: 'asked', received: 'asked' }

function fromJson({ error, result, identity, next }: AnyResponse): Seen {
  const { wait_state = 'none' } = result
  const output = `${result.stdout ?? ''}${result.stderr ?? ''}`
  return {
    refused: error?.code ?? null,
    said: error?.message ?? '',
    state: result.state === undefined ? null : (OF_STATE[result.state] ?? (result.state as Seen['state'])),
    exitCode: result.exit_code ?? null,
    session: identity.session_id,
    terminal: identity.terminal_id,
    output,
    found: (result.matches ?? []).map(({ line }) => line),
    waits: wait_state === 'none' ? null : wait_state,
    question: wait_state === 'none' ? '' : lastLine(output),
    waited: result.waited ?? null,
    runs: (result.items ?? []).map(({ session_id, state, command }) => ({ session: session_id, state, command })),
    next: next ?? null,
  }
}
