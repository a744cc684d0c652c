import { readFileSync } from 'node:fs'
import { writeAtomically } from '../../base/atomic-file.ts'
import { programsInFile } from '../../config/settings.ts'
import type { Decisions } from '../../policy/files/decisions.ts'
import type { RuleFiles } from '../../policy/files/rule-files.ts'
import { type TrustGround, trustObjection } from '../../policy/files/trust-ground.ts'
import { LAYERS, RULE_FILE } from '../../policy/files/workspace-files.ts'
import type { Pairings } from '../clients/pairings.ts'
import { whyNot } from '../questions/ask-rules.ts'
import type { FoundRow } from './ask-found.ts'

export interface FoundPlaces {
  readonly decisions: Decisions
  readonly ruleFiles: RuleFiles
  readonly pairings: Pairings
  readonly ground: TrustGround
  readonly settingsFile: string
}

/** Clients whose key file no person agreed to. */
export const foundPairings = ({ pairings }: FoundPlaces): FoundRow[] =>
  pairings.undecided().map(({ name, fingerprint }) => ({
    what: 'pairing',
    text: name,
    means: 'Whoever holds its key may ask you to run commands here, under that name.',
    file: pairings.fileOf(name),
    entry: { kind: 'pairing_changed', body: { paired: name, fingerprint, found: true } },
    keep: () => pairings.agree(name, fingerprint),
    drop: () => void pairings.remove(name),
  }))

/** Programs that settings.json names and no person agreed to. */
export const foundPrograms = ({ decisions, settingsFile }: FoundPlaces): FoundRow[] =>
  programsInFile(settingsFile)
    .filter(({ name, value }) => decisions.valueOf('programs', name) !== value)
    .map(({ name, value }) => ({
      what: 'program',
      text: value,
      means: PROGRAM_MEANS[name] ?? `It is started as ${name} says.`,
      file: settingsFile,
      entry: { kind: 'program_changed', body: { setting: name, program: value, found: true } },
      keep: () => decisions.put('programs', name, value),
      drop: () => dropSetting(settingsFile, name),
    }))

const PROGRAM_MEANS: Readonly<Record<string, string>> = {
  PM_TERM_BROWSER: 'It is started as the browser of this window, and what it shows answers for you (PM_TERM_BROWSER).',
  PM_INTERACTIVE_TERMINAL_BINARY:
    'It is started as the host when none runs, and then decides what runs here (PM_INTERACTIVE_TERMINAL_BINARY).',
}

/** Folders and rules that only files speak of, the folder of a rule before it. */
export function foundWorkspaces({ ruleFiles, ground }: FoundPlaces): FoundRow[] {
  const { edits } = ruleFiles
  return ruleFiles.workspaces().flatMap(id => {
    const binds = edits.undecided(id)
    // What could never be is not offered.
    if (binds && (whyNot(() => ruleFiles.bindable(id, binds.directory)) ?? trustObjection(binds.directory, ground)))
      return []

    const rules = LAYERS.flatMap(layer =>
      edits.additionsTo(id, layer).map(
        (pattern): FoundRow => ({
          what: 'rule',
          text: pattern,
          means: `It runs without approval in the workspace "${id}"${layer === 'headless' ? ', headless only' : ''}.`,
          file: RULE_FILE[layer],
          entry: {
            kind: 'rules_changed',
            body: { workspace_id: id, layer, added: [pattern], removed: [], found: true },
          },
          keep: () => ruleFiles.add(id, layer, pattern),
          drop: () => edits.takeOut(id, layer, pattern),
        }),
      ),
    )

    if (!binds) return rules
    const { directory, trusted } = binds
    const folder: FoundRow = {
      what: 'workspace',
      text: directory,
      means: trusted
        ? `A trusted folder, workspace "${id}": its own code (npm test and the like) runs without approval.`
        : `A workspace, "${id}": rules can count in it. It is not trusted.`,
      file: 'workspace.v1.json',
      entry: {
        kind: 'rules_changed',
        body: { workspace_id: id, directory, trusted, added: [], removed: [], found: true },
      },
      keep: () => void ruleFiles.bind(id, directory, trusted),
      drop: () => edits.takeOutBinding(id),
    }
    return [folder, ...rules]
  })
}

function dropSetting(file: string, name: string): void {
  const { [name]: _, ...others } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
  writeAtomically(file, `${JSON.stringify(others, null, 2)}\n`)
}
