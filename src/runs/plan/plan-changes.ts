import { realpathSync } from 'node:fs'
import { directoryIdentity, fileIdentity } from '../../base/file-identity.ts'
import { TermError } from '../../contract/tool/errors.ts'
import type { ScriptBody } from '../../contract/wire/script-body.ts'
import { type LoadedFile, loadedFiles } from './loaded-files.ts'
import { shadowsSince } from './path-shadows.ts'
import { directoryAt, type Plan } from './plan.ts'
import { programOn } from './program-on.ts'
import { scriptBodies } from './script-bodies.ts'

/** The disk is not what was judged any more: nothing was started, and it has to be judged and asked about again. */
export class PlanChanged extends TermError {
  /** One sentence each, for the person. */
  readonly changes: readonly string[]

  constructor(changes: readonly string[]) {
    super('PM_TERM_INTERNAL', `What was judged has changed. ${changes.join(' ')} Nothing ran.`, {
      details: { changes },
    })
    this.changes = changes
  }
}

/** Right before the start, in one go: is everything on disk still what was judged and shown? */
export function recheck(plan: Plan): void {
  const changes = changesOf(plan)
  if (changes.length > 0) throw new PlanChanged(changes)
}

export const changesOf = (plan: Plan): string[] => [
  ...directoryChange(plan),
  ...visitChanges(plan),
  ...programChanges(plan),
  ...nameChanges(plan),
  ...scriptChanges(plan),
  ...loadedChanges(plan),
]

/** The same path with another directory behind it, or with a link on the way, is another place. */
function directoryChange({ cwd, cwdIdentity }: Plan): string[] {
  const real = realOf(cwd)
  if (real === null) return [`The directory is gone: ${cwd}.`]
  if (real !== cwd) return [`The directory was replaced: ${cwd} leads to ${real} now.`]
  return directoryIdentity(cwd) === cwdIdentity ? [] : [`The directory was replaced: another one is at ${cwd} now.`]
}

/** Where the line goes to on its way. */
const visitChanges = ({ visits }: Plan): string[] =>
  visits.flatMap(before => {
    const now = directoryAt(before.path)
    if (now.real === before.real && now.identity === before.identity) return []
    if (now.identity === null) return [`The directory is gone: ${now.path}.`]
    return now.real === before.real
      ? [`The directory was replaced: another one is at ${now.path} now.`]
      : [`The directory was replaced: ${now.path} leads to ${now.real} now.`]
  })

function programChanges({ executable, alsoRuns, jail }: Plan): string[] {
  const around = jail === null ? [] : [jail.shell, jail.bubblewrap]
  const changed = [executable, ...alsoRuns, ...around].filter(({ path, identity }) => fileIdentity(path) !== identity)
  return [...new Set(changed.map(({ path }) => path))].map(path =>
    fileIdentity(path) === null ? `The program ${path} is gone.` : `The program ${path} is another file now.`,
  )
}

/** A name that stands for another file, and whatever was put in front of another program of its name. */
function nameChanges({ looked, executable, alsoRuns }: Plan): string[] {
  if (looked === null) return []
  const { path, cwd, platform } = looked.search
  const reported = new Set([executable, ...alsoRuns].map(each => each.path))
  const changes = [...looked.names].flatMap(([name, before]) => {
    const now = programOn(path, name, cwd, platform)
    const isOther = now !== (before?.path ?? null)
    if (before === null) return isOther ? [`${name} is ${now} now; there was none before.`] : []
    if (isOther) return [`${name} is another file now: ${now ?? 'none'}, not ${before.path}.`]
    return reported.has(before.path) || fileIdentity(before.path) === before.identity
      ? []
      : [`The program ${before.path} is another file now.`]
  })
  const shadows = looked.path === null ? [] : shadowsSince(looked.path, looked.search)
  return [...new Set([...changes, ...shadows.flatMap(({ name, says }) => (looked.names.has(name) ? [] : [says]))])]
}

/** Programs are named above; one that is a script as well is not named twice. */
function scriptChanges({ commands, cwd, scriptBodies: before, executable, alsoRuns }: Plan): string[] {
  const programs = [executable, ...alsoRuns].map(({ path }) => path)
  const own = (all: readonly ScriptBody[]) => all.filter(({ path }) => !programs.includes(path))
  const now = own(scriptBodies(commands, cwd))
  const isIn = (all: readonly ScriptBody[], one: ScriptBody, how: (a: ScriptBody, b: ScriptBody) => boolean) =>
    all.some(each => how(each, one))
  const gone = own(before).filter(one => !isIn(now, one, sameName))
  const changed = now.filter(one => isIn(before, one, sameName) && !isIn(before, one, sameText))
  const come = now.filter(one => !isIn(before, one, sameName))
  return [
    ...gone.map(({ name, path }) => `${name} is gone from ${path}.`),
    ...changed.map(({ name, path }) => `${name} changed in ${path}.`),
    ...come.map(({ name, path }) => `${name} is there now, in ${path}.`),
  ]
}

/** Files that the shown ones load: which they are, and what is in them. */
function loadedChanges({ loads: before, commands, scriptBodies: shown, cwd }: Plan): string[] {
  if (before === null) return []
  const now = loadedFiles(commands, shown, cwd)
  const keyOf = ({ path, name }: LoadedFile) => path ?? name
  const known = new Map(before.map(each => [keyOf(each), each]))
  const left = new Set(now.map(keyOf))
  return [
    ...now.flatMap(each => {
      const was = known.get(keyOf(each))
      if (was === undefined) return [`${keyOf(each)} is loaded now, by ${each.by}.`]
      return was.identity === each.identity ? [] : [`${keyOf(each)} changed; ${each.by} loads it.`]
    }),
    ...before.filter(each => !left.has(keyOf(each))).map(each => `${keyOf(each)} is gone; ${each.by} loaded it.`),
  ]
}

const sameName = (a: ScriptBody, b: ScriptBody): boolean => a.kind === b.kind && a.path === b.path && a.name === b.name
const sameText = (a: ScriptBody, b: ScriptBody): boolean => sameName(a, b) && a.hash === b.hash

function realOf(path: string): string | null {
  try {
    return realpathSync.native(path)
  } catch {
    return null // not there any more
  }
}
