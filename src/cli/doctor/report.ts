import pc from 'picocolors'
import { rowOf, SETTING_NAMES, type SettingName } from '../../config/env.ts'
import type { Configuration } from '../../config/settings.ts'
import { drawn } from '../machine/say.ts'
import type { CheckResult, Outcome } from './check.ts'

interface Report {
  readonly version: string
  readonly results: readonly CheckResult[]
  readonly configuration: Configuration
}

const MARKS: Readonly<Record<Outcome, string>> = {
  ok: pc.green('ok   '),
  note: pc.yellow('note '),
  failed: pc.red('FAIL '),
  skipped: pc.dim('—    '),
}

/** Every check with its time; then the first failure with its fix; then the settings that somebody set, or all of them. */
export function reportText({ version, results, configuration }: Report, allSettings: boolean): string {
  const failed = results.filter(({ outcome }) => outcome === 'failed')
  const notes = results.filter(({ outcome }) => outcome === 'note')
  const [first] = failed
  const closing =
    first === undefined
      ? ['All is well.', ...notes.map(({ name, fix }) => `${pc.yellow('Note')}  ${name}: ${fix}`)]
      : [
          `${failed.length} of ${results.length} checks failed; fix the first one first.`,
          `${pc.bold('First')}  ${first.name}: ${first.detail}`,
          ...(first.fix === null ? [] : [`${pc.bold('Fix')}    ${first.fix}`]),
        ]
  return [
    pc.bold(`interactive-terminal ${version} on Node ${process.version}`),
    '',
    ...results.map(({ name, outcome, detail, ms }) => `${MARKS[outcome]} ${name}: ${detail} ${pc.dim(`(${ms} ms)`)}`),
    '',
    ...closing,
    '',
    ...settingsText(configuration, allSettings),
  ].join('\n')
}

/** The same for a program. `ok` is false exactly when the command ends with 1. */
export function reportJson({ version, results, configuration }: Report): string {
  const { settings } = configuration
  const first = results.find(({ outcome }) => outcome === 'failed') ?? null
  const body = {
    version,
    node: process.version,
    platform: process.platform,
    ok: first === null,
    first_failure: first,
    checks: results,
    settings: SETTING_NAMES.map(name => ({ name, value: settings[name], source: sourceText(configuration, name) })),
  }
  return JSON.stringify(body, null, 2)
}

function settingsText(configuration: Configuration, all: boolean): string[] {
  const { settings, sources } = configuration
  const shown = SETTING_NAMES.filter(name => all || sources[name].kind !== 'default')
  return [
    `${all ? 'Settings' : 'Settings that are not as by default'}: ${shown.length === 0 ? 'none' : ''}`,
    ...shown.map(
      name =>
        `${pc.cyan(name)} = ${drawn(JSON.stringify(settings[name]))}  ${pc.dim(`(${sourceText(configuration, name)})`)}\n    ${rowOf(name).sentence}`,
    ),
    ...(all ? [] : ['"doctor --settings" shows all of them.']),
  ]
}

function sourceText({ sources }: Configuration, name: SettingName): string {
  const source = sources[name]
  return source.kind === 'default' ? 'default' : `${source.kind} ${source.name}`
}
