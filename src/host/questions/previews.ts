import type { CommandQuestion } from '../../approving/question.ts'
import type { Disposable } from '../../base/disposable.ts'
import type { Preview, PreviewItem, PreviewRequest } from '../../contract/preview/preview-frames.ts'
import { Redactor } from '../../runs/secrets/redactor.ts'
import { isSecretVariable } from '../../runs/secrets/secret-variables.ts'
import type { ApprovalQueue } from './approval-queue.ts'

/** What was looked up within its time. */
export interface LookedUp {
  readonly items: readonly PreviewItem[]
  readonly complete: boolean
  readonly tookMs: number
}

/** Who looks: a process of its own, which no disk can hold up for longer than its time. */
export interface Previewer {
  look(request: Omit<PreviewRequest, 'ms'>): Promise<LookedUp>
  close(): void
}

/** Where a command would run, beside what its question says. */
export interface PreviewPlace {
  readonly shell: PreviewRequest['shell']
  readonly env: Readonly<Record<string, string>>
}

/**
 * What open questions would do, for whoever answers. It comes after the question and changes nothing about it: a card is shown, read and
 * answered as if there were none.
 */
export class Previews {
  readonly #previewer: Previewer
  readonly #ours: () => readonly number[]
  readonly #listeners = new Set<(preview: Preview) => void>()
  /** Of the questions that are open. */
  readonly #known = new Map<string, Preview | null>()

  constructor(previewer: Previewer, queue: Pick<ApprovalQueue, 'listen'>, ours: () => readonly number[]) {
    this.#previewer = previewer
    this.#ours = ours
    const forget = (askId: string): void => void this.#known.delete(askId)
    queue.listen({ asked: () => {}, answered: forget, withdrawn: forget })
  }

  /** A line for the person's own shell is read by that shell as it is now: nobody can say what it makes of it. */
  start(question: CommandQuestion, { shell, env }: PreviewPlace): void {
    const { ask_id, command, args, cwd } = question
    if (question.intent !== 'execute_command' || question.typed_into_shell) return
    this.#known.set(ask_id, null)
    const variables = args === null ? variablesOf(command, env) : {}
    const own_git = question.env.some(({ name }) => /^(?:GIT_.*|HOME|XDG_CONFIG_HOME)$/.test(name))
    const request = { id: ask_id, command, args, shell, cwd, home: env.HOME ?? null, variables, own_git }
    void this.#previewer.look({ ...request, ours: [...this.#ours()] }).then(found => this.#tell(ask_id, found))
  }

  /** Those that are known already, and from now on each as it comes. */
  listen(send: (preview: Preview) => void): Disposable {
    for (const preview of this.#known.values()) if (preview !== null) send(preview)
    this.#listeners.add(send)
    return { dispose: () => void this.#listeners.delete(send) }
  }

  close(): void {
    this.#previewer.close()
  }

  #tell(ask_id: string, { items, complete, tookMs }: LookedUp): void {
    // It was answered in the meantime.
    if (!this.#known.has(ask_id)) return
    const preview: Preview = { type: 'preview', ask_id, items: [...items], complete, took_ms: tookMs }
    this.#known.set(ask_id, preview)
    for (const send of this.#listeners) send(preview)
  }
}

const SHAPES = new Redactor({ shapes: 'on', own: () => [] })
/** Made by the shell itself, or other in every command. */
const OF_THE_SHELL =
  /^(?:BASH\w*|RANDOM|SRANDOM|SECONDS|EPOCH\w*|LINENO|UID|EUID|PPID|IFS|SHLVL|OLDPWD|PWD|_|DIRSTACK|GROUPS|FUNCNAME|PIPESTATUS|OPT\w+|HIST\w+|PS\d|SHELLOPTS)$/
const LONGEST_VALUE = 1024
const MOST_VARIABLES = 64

/** What the variables of a line stand for; a secret is left out, and so is what a shell makes up itself. */
function variablesOf(command: string, env: Readonly<Record<string, string>>): Record<string, string | null> {
  const names = new Set([...command.matchAll(/\$\{?([A-Za-z_]\w*)/g)].map(([, name = '']) => name))
  const found: Record<string, string | null> = {}
  for (const name of [...names].slice(0, MOST_VARIABLES)) {
    const value = env[name]
    if (OF_THE_SHELL.test(name)) continue
    if (value === undefined) found[name] = null
    else if (value.length <= LONGEST_VALUE && !isSecretVariable(name, value, SHAPES)) found[name] = value
  }
  return found
}
