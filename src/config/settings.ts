import { readFileSync } from 'node:fs'
import { toType } from '../base/own-command.ts'
import { TermError } from '../contract/tool/errors.ts'
import { flagOf, PROGRAM_SETTINGS, rowOf, SETTING_NAMES, type SettingName, type Settings } from './env.ts'
import { type Paths, pathsFor } from './paths.ts'

/** Where a value came from: flag > environment > settings.json > default. */
export type Source =
  | { readonly kind: 'flag' | 'environment' | 'settings.json'; readonly name: string }
  | { readonly kind: 'default' }

export interface Configuration {
  readonly settings: Settings
  readonly sources: Readonly<Record<SettingName, Source>>
  readonly paths: Paths
}

export interface SettingProblem {
  readonly name: string
  readonly problem: string
}

export interface RawSettings {
  readonly flags: Readonly<Record<string, string | undefined>>
  readonly env: Readonly<Record<string, string | undefined>>
}

/** All settings, or every one that is wrong. A wrong setting is never replaced by a default behind anybody's back. */
export function readSettings(raw: RawSettings): { configuration: Configuration; problems: readonly SettingProblem[] } {
  const problems: SettingProblem[] = []
  const settings: Record<string, unknown> = {}
  const sources: Record<string, Source> = {}
  const take = (name: SettingName, file: Readonly<Record<string, unknown>>) => {
    const row = rowOf(name)
    const found = lookUp(name, raw, row.notInFile ? {} : file)
    sources[name] = found.source
    settings[name] = row.default
    if (found.source.kind === 'default') return
    const read = row.kind.read(found.value)
    if ('value' in read) settings[name] = read.value
    else problems.push({ name, problem: read.problem })
  }
  take('PM_TERM_HOME', {})
  const { settingsFile } = pathsFor(raw.env, String(settings.PM_TERM_HOME), '')
  const file = readSettingsFile(settingsFile, problems)
  for (const name of SETTING_NAMES) if (name !== 'PM_TERM_HOME') take(name, file)
  const all = settings as Settings
  const paths = pathsFor(raw.env, all.PM_TERM_HOME, all.PM_TERM_DATA_DIR)
  return { configuration: { settings: all, sources: sources as Record<SettingName, Source>, paths }, problems }
}

/** What settings.json says of programs to start, as it is now. */
export function programsInFile(settingsFile: string): { readonly name: SettingName; readonly value: string }[] {
  const file = readSettingsFile(settingsFile, [])
  return PROGRAM_SETTINGS.flatMap(name => {
    const [value] = [name, ...(rowOf(name).aliases ?? [])].map(each => file[each]).filter(each => each !== undefined)
    return typeof value === 'string' && value !== '' ? [{ name, value }] : []
  })
}

/** A program that a setting names, or '': what is in settings.json counts only if a person is known to have agreed to it. */
export function agreedProgram(
  { settings, sources }: Pick<Configuration, 'settings' | 'sources'>,
  name: 'PM_TERM_BROWSER' | 'PM_TERM_NOTIFY_COMMAND' | 'PM_INTERACTIVE_TERMINAL_BINARY',
  agreed: (name: string) => string | null,
): string {
  const value = settings[name]
  return sources[name].kind !== 'settings.json' || agreed(name) === value ? value : ''
}

export function loadSettings(raw: RawSettings): Configuration {
  const { configuration, problems } = readSettings(raw)
  if (problems.length === 0) return configuration
  const [first] = problems
  throw new TermError('PM_TERM_INVALID_PAYLOAD', `${first?.name} ${first?.problem}. See "${toType('doctor')}".`, {
    details: { problems },
  })
}

function lookUp(
  name: SettingName,
  raw: RawSettings,
  file: Readonly<Record<string, unknown>>,
): { value: unknown; source: Source } {
  const { strongest } = rowOf(name)
  if (strongest !== undefined && raw.env[strongest] !== undefined)
    return { value: raw.env[strongest], source: { kind: 'environment', name: strongest } }
  const flag = flagOf(name)
  if (raw.flags[flag] !== undefined) return { value: raw.flags[flag], source: { kind: 'flag', name: `--${flag}` } }
  const names = [name, ...(rowOf(name).aliases ?? [])]
  for (const each of names)
    if (raw.env[each] !== undefined) return { value: raw.env[each], source: { kind: 'environment', name: each } }
  for (const each of names)
    if (file[each] !== undefined) return { value: file[each], source: { kind: 'settings.json', name: each } }
  return { value: undefined, source: { kind: 'default' } }
}

function readSettingsFile(path: string, problems: SettingProblem[]): Readonly<Record<string, unknown>> {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') problems.push({ name: path, problem: 'cannot be read' })
    return {}
  }
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) {
      const inFile = SETTING_NAMES.filter(name => !rowOf(name).notInFile)
      const known = new Set<string>(inFile.flatMap(name => [name, ...(rowOf(name).aliases ?? [])]))
      for (const name of Object.keys(parsed))
        if (!known.has(name)) problems.push({ name: `${name} in ${path}`, problem: 'is not a setting of this file' })
      return parsed as Record<string, unknown>
    }
  } catch {
    // reported below, together with every other wrong shape
  }
  problems.push({ name: path, problem: 'is not a JSON object' })
  return {}
}
