import { limitInWords } from './durations.ts'
import type { CommandQuestion } from './question.ts'
import { isSecret } from './variables.ts'

/** One row of a card. Texts may be words of others: whoever shows them draws them. */
export interface Fact {
  readonly id: 'directory' | 'project' | 'variables' | 'shell' | 'programs' | 'found_when_run' | 'ends'
  readonly label: string
  /** The label where there is little room. */
  readonly short?: string
  readonly values: readonly FactValue[]
  /** Of all values together. */
  readonly note?: string
}

/** Who wants to know opens them: what the person decides about is the command, where it runs and what it is given. */
export const DETAILS = 'Details'
export const isDetail = ({ id }: Fact): boolean => id === 'shell' || id === 'programs' || id === 'ends'

export interface FactValue {
  readonly text: string
  readonly tone: 'code' | 'plain' | 'quiet'
  /** Behind the text, in a quieter tone. */
  readonly remark?: string
  /** It is a secret: this and our MASK are shown in its place until the person wants to see it. The mask is ours, so it is not drawn. */
  readonly beforeMask?: string
}

/** Where a command would run, and with what. A new field of the card is one row here. */
export function factsOf(q: CommandQuestion): Fact[] {
  const rows: Fact[] = [
    { id: 'directory', label: 'Directory', values: [directoryValue(q)] },
    { id: 'project', label: 'Project', values: [projectValue(q)] },
    { id: 'variables', label: 'Variables', values: q.env.map(variableValue) },
    { id: 'shell', label: 'Shell', values: [shellValue(q)] },
    { id: 'programs', label: 'Programs', values: [...new Set(q.executables)].map(code) },
    {
      id: 'found_when_run',
      label: 'Found when it runs',
      short: 'Found then',
      values: q.found_when_run.map(code),
      note: 'Nobody can say yet which programs these are.',
    },
    { id: 'ends', label: 'Ends', values: q.kill_after_ms === null ? [] : [limitValue(q.kill_after_ms)] },
  ]
  return rows.filter(({ values }) => values.length > 0)
}

/** Of a line that is to run instead: what its own judgement says, and what stays as it was asked. */
export const editedFacts = (question: CommandQuestion, judged: { readonly executables: readonly string[] }): Fact[] =>
  factsOf({ ...question, executables: [...judged.executables] }).filter(({ id }) => EDITED.includes(id))
const EDITED: readonly Fact['id'][] = ['directory', 'variables', 'programs']

const code = (text: string): FactValue => ({ text, tone: 'code' })

const limitValue = (ms: number): FactValue => ({
  text: `killed after ${limitInWords(ms)}, if it still runs`,
  tone: 'plain',
})

function projectValue({ project: { kind, id, directory, trusted, why_not } }: CommandQuestion): FactValue {
  const why = why_not === null ? [] : [`nothing can be kept here: ${why_not}`]
  if (kind !== 'bound') return { text: [kind === 'offered' ? 'none yet' : 'none', ...why].join(': '), tone: 'quiet' }
  const remark = [`${trusted ? 'trusted' : 'not trusted'}, ${directory}`, ...why].join('; ')
  return { text: id ?? '', tone: 'plain', remark }
}

/** A shell of the editor's may have gone elsewhere and tell nobody. */
const directoryValue = ({ cwd, editor_terminal }: CommandQuestion): FactValue => ({
  ...code(cwd),
  ...(editor_terminal?.directory_known === 'where_it_began' &&
    !editor_terminal.opens && { remark: 'where it began; its shell does not say where it is now' }),
})

/** With separate arguments no shell reads the line. */
function shellValue({ typed_into_shell, args, intent, shell, venv, editor_terminal }: CommandQuestion): FactValue {
  const isRead = args === null || intent === 'open_only'
  const name = typed_into_shell ? `your own ${shell}, as it is now` : isRead ? shell : 'none'
  const text = venv === null ? name : `${name} with virtualenv ${venv}`
  const { opens, name: tab, editor } = editor_terminal ?? {}
  const remark = editor_terminal && `${opens ? 'in a new terminal' : 'in the terminal'} "${tab}" of ${editor}`
  return { text, tone: isRead ? 'plain' : 'quiet', ...(remark !== undefined && { remark }) }
}

/** What looks like a secret stays masked until the person wants to see it. */
function variableValue(variable: CommandQuestion['env'][number]): FactValue {
  const { name, value, carried } = variable
  const remarks = [...(value === null ? ['is unset'] : []), ...(carried ? ['kept from earlier commands'] : [])]
  return {
    ...code(value === null ? name : `${name}=${value}`),
    ...(remarks.length > 0 && { remark: remarks.join(', ') }),
    ...(isSecret(variable) && { beforeMask: `${name}=` }),
  }
}
