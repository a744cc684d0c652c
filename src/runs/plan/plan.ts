import { directoryIdentity, fileIdentity } from '../../base/file-identity.ts'
import { sha256Of } from '../../base/sha256.ts'
import { TermError } from '../../contract/tool/errors.ts'
import type { ScriptBody } from '../../contract/wire/script-body.ts'
import { realPath } from '../facts/disk-facts.ts'
import type { Jail } from '../jail/jail.ts'
import type { LinePrograms, Search } from './line-programs.ts'
import { type LoadedFile, loadedFiles } from './loaded-files.ts'
import { namesOn, type PathNames } from './path-shadows.ts'
import { programOn } from './program-on.ts'
import { scriptBodies } from './script-bodies.ts'
import { shebangOf } from './shebang-of.ts'
import { wordsIn } from './words-in.ts'

/** A file that will be executed, pinned down so that a swap between judging and starting is noticed. */
export interface Executable {
  /** As it was found: some programs look at where they were called from. */
  readonly path: string
  /** The real file behind it. */
  readonly identity: string
}

/** A directory by its path, and which it was; null: there was none. */
export interface Directory {
  readonly path: string
  readonly real: string
  readonly identity: string | null
}

export const directoryAt = (path: string): Directory => ({
  path,
  real: realPath(path),
  identity: directoryIdentity(path),
})

/** Exactly what was judged and what will run. Nobody changes it; its hash stands for it. */
export interface Plan {
  readonly command: string
  readonly argv: readonly string[]
  /** A real path: no part of it was a link when it was judged. */
  readonly cwd: string
  /** Which directory that was: another one of the same name is another one. */
  readonly cwdIdentity: string
  /** The other directories that the line goes to. */
  readonly visits: readonly Directory[]
  readonly env: Readonly<Record<string, string>>
  /** Variables that it does not get, by name: they look like tokens, and nobody approved it by hand. */
  readonly leftOut: readonly string[]
  readonly executable: Executable
  /** The programs a shell would start for it, as far as the line names them. */
  readonly alsoRuns: readonly Executable[]
  /** What it starts and nobody can say yet which file that is. */
  readonly foundWhenRun: readonly string[]
  /** Where names are looked for, and what they stood for then. */
  readonly looked: Looked | null
  /** The commands of the line, word by word, and the scripts and targets their words stand for. */
  readonly commands: readonly (readonly string[])[]
  readonly scriptBodies: readonly ScriptBody[]
  /** What those load in turn: named to the person, but not shown. null: nobody is asked. */
  readonly loads: readonly LoadedFile[] | null
  /** Whether its shell reports at the end where it is, for the next run in the same terminal. */
  readonly carry: boolean
  /** The sandbox that it runs in; null: it runs as the person's own programs do. */
  readonly jail: Jail | null
  readonly hash: string
}

/** What names meant when it was judged: also those that are only in a text that was shown, and those that meant nothing. */
export interface Looked {
  readonly search: Search
  readonly names: ReadonlyMap<string, Executable | null>
  /** null: nobody is asked, so nothing happens between the look and the start. */
  readonly path: PathNames | null
}

export interface Planned extends Pick<Plan, 'command' | 'argv' | 'cwd' | 'env'> {
  readonly program: string
  readonly leftOut?: Plan['leftOut']
  readonly carry?: boolean
  readonly commands?: Plan['commands']
  readonly programs?: LinePrograms
  /** Where it looks for programs; absent: it is started by its path and looks for none. */
  readonly search?: Search
  /** Somebody will be asked about it, and the disk may change meanwhile. */
  readonly asked?: boolean
  readonly jail?: Jail | null
}

export function makePlan(what: Planned): Plan {
  const executable = pin(what.program)
  const alsoRuns = (what.programs?.shown ?? []).map(pin)
  const foundWhenRun = what.programs?.foundWhenRun ?? []
  const visits = (what.programs?.visits ?? []).map(directoryAt)

  const { command, argv, cwd, env, leftOut = [], commands = [], jail = null } = what
  const cwdIdentity = directoryIdentity(cwd)
  if (cwdIdentity === null) throw new TermError('PM_TERM_INVALID_PAYLOAD', `${cwd} is gone. Nothing ran.`)

  const read = scriptBodies(commands, cwd)
  const loads = what.asked ? loadedFiles(commands, read, cwd) : null

  let hash: string | null = null
  return Object.freeze({
    command,
    argv,
    cwd,
    cwdIdentity,
    visits,
    env,
    leftOut,
    executable,
    alsoRuns,
    foundWhenRun,
    looked: what.search ? lookedUp(what.search, what, read) : null,
    carry: what.carry ?? false,
    jail,
    commands,
    scriptBodies: read,
    loads,
    // Worked out when somebody asks for it, which may be while the command starts.
    get hash() {
      hash ??= hashOf(this)
      return hash
    },
  })
}

function hashOf(plan: Omit<Plan, 'hash'>): string {
  const { command, argv, cwd, cwdIdentity, visits, env, leftOut, scriptBodies, loads } = plan
  const { executable, alsoRuns, foundWhenRun, jail } = plan
  let variables = ''
  for (const name of Object.keys(env).sort())
    variables += `${variables === '' ? '' : ','}${variableText(name, env[name] ?? '')}`
  const before = JSON.stringify([command, argv, cwd, cwdIdentity, visits]).slice(0, -1)
  const rest: unknown[] = [leftOut, executable, alsoRuns, foundWhenRun, scriptBodies, loads]
  // What was judged for a sandbox is another thing than the same line outside of it.
  if (jail !== null) rest.push([jail.mode, jail.profile, jail.bubblewrap])
  const behind = JSON.stringify(rest).slice(1)
  return sha256Of(`${before},[${variables}],${behind}`)
}

const MOST_KEPT = 256
const keptTexts = new Map<string, { readonly value: string; readonly text: string }>()

/** As JSON. Most variables are the same for every command, so that is kept. */
function variableText(name: string, value: string): string {
  const known = keptTexts.get(name)
  if (known?.value === value) return known.text
  const text = JSON.stringify([name, value])
  if (keptTexts.size < MOST_KEPT || known !== undefined) keptTexts.set(name, { value, text })
  return text
}

const MOST_NAMES = 500

function lookedUp(search: Search, { programs, asked }: Planned, read: readonly ScriptBody[]): Looked {
  const ofLine = programs?.words ?? []
  const ofBodies = asked ? read.flatMap(({ text }) => wordsIn(text)) : []
  // A program that is a script is read by another one, which nobody names.
  const readers = [...(programs?.shown ?? []), ...(programs?.pins ?? []).map(([, file]) => file)].flatMap(shebangOf)
  const names = [...new Set([...ofLine, ...readers, ...ofBodies])].slice(0, MOST_NAMES)
  const known = new Map(programs?.pins ?? [])
  const fileOf = (name: string) => known.get(name) ?? programOn(search.path, name, search.cwd, search.platform)
  const pinned = names.map(name => [name, mayPin(fileOf(name))] as const)
  return { search, names: new Map(pinned), path: asked ? namesOn(search) : null }
}

function mayPin(path: string | null): Executable | null {
  const identity = path === null ? null : fileIdentity(path)
  return path === null || identity === null ? null : { path, identity }
}

function pin(path: string): Executable {
  const identity = fileIdentity(path)
  if (identity === null) throw new TermError('PM_TERM_INVALID_PAYLOAD', `The program ${path} is gone. Nothing ran.`)
  return { path, identity }
}
