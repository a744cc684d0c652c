import { existsSync } from 'node:fs'
import { systemClock } from '../../base/clock.ts'
import { randomIds } from '../../base/ids.ts'
import { jsonLog } from '../../base/log.ts'
import type { Configuration } from '../../config/settings.ts'
import { programsInFile } from '../../config/settings.ts'
import { Pairings } from '../../host/clients/pairings.ts'
import { type Decisions, digestOf } from '../../policy/files/decisions.ts'
import { RuleFiles } from '../../policy/files/rule-files.ts'
import { LAYERS } from '../../policy/files/workspace-files.ts'
import { DecisionsCopy } from '../../runs/journal/decisions-copy.ts'
import { sealingOf } from '../../runs/journal/decisions-seal.ts'
import { believedHere, isMounted } from '../person/believed-here.ts'
import { approverHere } from '../person/seal-here.ts'

const SEAL_WORDS = {
  not_needed:
    'A program that runs as you can write journal and files anew while no host runs, and without a passphrase nothing here can tell (SECURITY.md).',
  sealed:
    'Your passphrase seals them: whoever writes journal and files anew while no host runs changes nothing of it, as long as the passphrase is yours (SECURITY.md).',
  unsealed:
    'Your passphrase has not sealed them yet: the next start of the host asks about each. Give it once, in the window under the shield or in a terminal.',
  wrong:
    'The seal of your passphrase on them is WRONG: something changed decisions.v1.json. Nothing of it counts; the next start of the host asks about each row.',
  foreign:
    'They are sealed by ANOTHER passphrase than the one that counts: something replaced it, or the journal. Nothing of it counts; the next start of the host asks about each row.',
} as const
const OF_THE_HOST = 'They are those of the host outside, and nothing here can change them.'
const SINCE = ' What you decided since you last gave it needs your approval at the next start.'

/** What a person is known to have decided, what is only in files, and what nobody can know. */
export async function decisionsCheck(configuration: Configuration, version: string): Promise<string> {
  const log = jsonLog({ level: 'silent', write: () => {}, now: systemClock.now })
  const believed = believedHere(configuration, { clock: systemClock, ids: randomIds(), log, version })
  await believed.fresh()
  const { now } = believed.decisions
  const workspaces = Object.values(now.workspaces)
  const rules = workspaces.flatMap(({ accepted }) => [...accepted.base, ...accepted.headless]).length
  const known = `${workspaces.length} folders, ${rules} rules, ${Object.keys(now.pairings).length} clients, ${Object.keys(now.programs).length} programs`
  const seal = await sealFound(configuration)
  const waiting = undecided(configuration, believed.decisions)
  const wait =
    waiting.length === 0
      ? ''
      : ` These are in files and do not count until you agree in the window: ${waiting.join(', ')}.`
  const said = `${known}.${wait} ${seal.words}`
  if (seal.isBroken) throw new Error(said)
  return said
}

async function sealFound({ paths }: Configuration): Promise<{ words: string; isBroken: boolean }> {
  if (!existsSync(paths.journalFile) && isMounted(paths.decisionsFile)) return { words: OF_THE_HOST, isBroken: false }
  const copy = new DecisionsCopy(paths.decisionsFile).read()
  const sealing = sealingOf(copy, await approverHere(paths))
  const isOlder = sealing.at === 'sealed' && copy !== null && digestOf(copy.now) !== digestOf(sealing.decided)
  const isBroken = sealing.at === 'wrong' || sealing.at === 'foreign'
  return { words: `${SEAL_WORDS[sealing.at]}${isOlder ? SINCE : ''}`, isBroken }
}

function undecided({ paths }: Configuration, decisions: Decisions): string[] {
  const files = new RuleFiles({ dataDir: paths.dataDir, now: systemClock.now, decisions })
  const inFolders = files
    .workspaces()
    .flatMap(id => [
      ...(files.edits.undecided(id) ? [`the folder "${id}"`] : []),
      ...LAYERS.flatMap(layer => files.edits.additionsTo(id, layer).map(pattern => `the rule "${pattern}" of "${id}"`)),
    ])
  const clients = new Pairings(paths.keysDir, () => decisions).undecided().map(({ name }) => `the client "${name}"`)
  const programs = programsInFile(paths.settingsFile)
    .filter(({ name, value }) => decisions.valueOf('programs', name) !== value)
    .map(({ name }) => name)
  return [...inFolders, ...clients, ...programs]
}
