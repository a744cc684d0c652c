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

/** Of an open question: what was found, and the line that is to be looked at next. */
interface KnownPreview {
  preview: Preview | null
  readonly lookAt: (line: string) => Promise<LookedUp>
  next: { readonly command: string; readonly send: (preview: Preview) => void } | null
  isLooking: boolean
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
  readonly #known = new Map<string, KnownPreview>()

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
    const own_git = question.env.some(({ name }) => /^(?:GIT_.*|HOME|XDG_CONFIG_HOME)$/.test(name))
    const look = (line: string, words: readonly string[] | null): Promise<LookedUp> => {
      const variables = words === null ? variablesOf(line, env) : {}
      const at = { shell, cwd, home: env.HOME ?? null, own_git, ours: [...this.#ours()] }
      return this.#previewer.look({ id: ask_id, command: line, args: words && [...words], variables, ...at })
    }
    this.#known.set(ask_id, { preview: null, lookAt: line => look(line, null), next: null, isLooking: false })
    void look(command, args).then(found => this.#tell(ask_id, found))
  }

  /** The same for a line that a person wrote instead. Of lines that come faster than they can be looked at the last one counts. */
  edited(askId: string, command: string, send: (preview: Preview) => void): void {
    const known = this.#known.get(askId)
    if (known === undefined) return
    known.next = { command, send }
    if (!known.isLooking) void this.#lookAtEdits(askId, known)
  }

  /** Those that are known already, and from now on each as it comes. */
  listen(send: (preview: Preview) => void): Disposable {
    for (const { preview } of this.#known.values()) if (preview !== null) send(preview)
    this.#listeners.add(send)
    return { dispose: () => void this.#listeners.delete(send) }
  }

  close(): void {
    this.#previewer.close()
  }

  #tell(ask_id: string, { items, complete, tookMs }: LookedUp): void {
    // It was answered in the meantime.
    const known = this.#known.get(ask_id)
    if (known === undefined) return
    known.preview = { type: 'preview', ask_id, edited: null, items: [...items], complete, took_ms: tookMs }
    for (const send of this.#listeners) send(known.preview)
  }

  async #lookAtEdits(ask_id: string, known: KnownPreview): Promise<void> {
    known.isLooking = true
    for (let edit = known.next; edit !== null; edit = known.next) {
      known.next = null
      const { items, complete, tookMs } = await known.lookAt(edit.command)
      if (!this.#known.has(ask_id)) return
      edit.send({ type: 'preview', ask_id, edited: edit.command, items: [...items], complete, took_ms: tookMs })
    }
    known.isLooking = false
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
