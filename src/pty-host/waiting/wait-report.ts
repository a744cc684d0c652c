import { lastLine } from '../../base/output/last-line.ts'
import type { InputWait } from '../../base/process/pty.ts'
import type { Foreground, Reader } from './foreground.ts'
import { asksForSecret, asksSomething, looksLikePrompt } from './prompt-words.ts'
import type { TerminalModes } from './terminal-modes.ts'

const NOTHING = { program: null, onlyInput: false } as const

/** From what the kernel shows of the programs in the foreground, and how the terminal is set. */
export function fromKernel(
  { readers, hidden }: Pick<Foreground, 'readers' | 'hidden'>,
  modes: TerminalModes | null,
  printed: string,
): InputWait {
  const [reader] = readers
  if (reader === undefined)
    return hidden === null
      ? { state: 'none', source: 'kernel', evidence: 'no program in the foreground waits for the terminal', ...NOTHING }
      : fromModes(modes, printed, `${hidden} may not be looked at`)

  const line = lastLine(printed)
  const { program, call } = reader
  // One that watches more than the terminal, as every program of Node does, waits for an answer once it has asked.
  const onlyInput = readers.every(each => each.call.how === 'read' || waitsForInputOnly(each)) || asksSomething(line)
  const does = call.how === 'read' ? 'is blocked reading the terminal' : 'watches the terminal for input'
  const said = `${program} (pid ${reader.pid}) ${does}`
  const of = { source: 'kernel', program, onlyInput } as const
  if (modes === null)
    return { ...of, state: asksForSecret(line) ? 'secret' : 'line', evidence: `${said}; how it is set is not known` }
  if (modes.canonical)
    return modes.echo
      ? { ...of, state: 'line', evidence: `${said}, line by line` }
      : { ...of, state: 'secret', evidence: `${said}, line by line, and what is typed is not shown` }
  // Key by key nothing is shown anyway: only what was asked for tells a password.
  return asksForSecret(line)
    ? { ...of, state: 'secret', evidence: `${said}, key by key, and asks for a secret: "${line}"` }
    : { ...of, state: 'key', evidence: `${said}, key by key` }
}

const waitsForInputOnly = ({ call }: Reader): boolean => call.descriptors.length === 1 && !call.hasLimit

/** Where the kernel does not show what a program does: a terminal that hides what is typed is asking for a password. */
export function fromModes(modes: TerminalModes | null, printed: string, why: string): InputWait {
  const line = lastLine(printed)
  if (modes?.canonical && !modes.echo)
    return {
      state: 'secret',
      source: 'termios',
      evidence: `the terminal does not show what is typed; ${why}`,
      ...NOTHING,
    }
  const state = asksForSecret(line)
    ? 'secret'
    : !looksLikePrompt(line)
      ? 'none'
      : modes && !modes.canonical
        ? 'key'
        : 'line'
  const seen = state === 'none' ? 'what was printed last is no question' : `what was printed last looks like a question`
  return { state, source: 'heuristic', evidence: `${seen}; ${why}`, ...NOTHING }
}
