import { existsSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { privateDirectory, writeAtomically } from '../../base/atomic-file.ts'
import type { Clock } from '../../base/clock.ts'
import { closestWord } from '../../base/closest-word.ts'
import { TermError } from '../../contract/tool/errors.ts'
import type { SetupFile } from '../../contract/wire/setup-frames.ts'
import { checkEntry, type EntryStart, entryIn } from '../setup/check-entry.ts'
import { SETUP_CLIENTS } from '../setup/clients.ts'
import { lineDiff } from '../setup/line-diff.ts'
import { type FileChange, planSetup, planUndo, recordOf, SetupRecord } from '../setup/plan.ts'
import type { FileEdits, SetupClient, Surroundings } from '../setup/setup-client.ts'

export interface SetupWorld extends Omit<Surroundings, 'exists'> {
  readonly stateDir: string
  /** This program was unpacked for one call, by npx: no file of a client may point to it. */
  readonly isShortLived: boolean
  readonly say: (line: string) => void
  /** Asks through the host that runs. False: none runs. Throws what it said when it was not approved. */
  readonly approvedByHost: (target: string, files: readonly SetupFile[]) => Promise<boolean>
  /** Refuses whoever is not a person at a terminal of their own. */
  readonly needPerson: () => void
  readonly confirm: (question: string) => Promise<boolean>
  readonly clock: Clock
}

export interface SetupFlags {
  readonly write?: unknown
  readonly 'only-terminal'?: unknown
  readonly undo?: unknown
  readonly check?: unknown
  readonly gate?: unknown
}

/** `setup <client>`: shows what belongs into a client's own files, and with --write writes it, after a person has seen it. */
export async function setupCommand(world: SetupWorld, [name]: readonly string[], flags: SetupFlags): Promise<number> {
  const client = clientNamed(name)
  const recordFile = join(world.stateDir, 'setup', `${client.id}.v1.json`)
  const record = readRecord(recordFile)

  if (flags.undo) {
    if (record === null) {
      world.say(`setup has written nothing for ${client.title}, so there is nothing to undo.`)
      return 0
    }
    const changes = planUndo(record, read).filter(isChange)
    if (!(await written(world, client, changes, 'Undo this?'))) return 1
    rmSync(recordFile, { force: true })
    world.say(`${client.title} is as it was before.`)
    return 0
  }

  if (flags.check) return check(world, client)
  if (flags.write && world.isShortLived)
    throw new TermError(
      'PM_TERM_INVALID_PAYLOAD',
      `npx may remove this program at any time, and then ${client.title} could not start it. Nothing was written. Install it first (npm install --global <the package>), then type the same without npx.`,
    )

  const onlyTerminal = flags['only-terminal'] === true
  const at = { ...world, exists: existsSync }
  const files = merged([...client.files(at, onlyTerminal), ...(flags.gate ? gateFiles(client, at) : [])])
  const changes = planSetup(files, read)
  const notes = [...client.notes(onlyTerminal), ...(flags.gate ? GATE_NOTES(client.title) : [])]

  if (!flags.write) {
    show(world, changes.filter(isChange))
    world.say(
      changes.some(isChange)
        ? `Write it with: setup ${client.id}${onlyTerminal ? ' --only-terminal' : ''}${flags.gate ? ' --gate' : ''} --write`
        : `${client.title} is set up already.`,
    )
    for (const note of notes) world.say(note)
    return 0
  }

  const open = changes.filter(isChange)
  if (open.length === 0) world.say(`${client.title} is set up already; nothing was changed.`)
  else {
    // Kept first: a file that was changed and cannot be changed back must not exist.
    const keep = () => {
      privateDirectory(join(world.stateDir, 'setup'))
      writeAtomically(recordFile, `${JSON.stringify(recordOf(client.id, files, changes, record), null, 2)}\n`)
    }
    if (!(await written(world, client, open, 'Write this?', keep))) return 1
    world.say(`${client.title} is set up. Start it anew. Back: setup ${client.id} --undo`)
  }
  for (const note of notes) world.say(note)
  return 0
}

/** Starts what is in the client's own file, as the client would, and lists what it gets. */
async function check(world: SetupWorld, client: SetupClient): Promise<number> {
  const files = client.files({ ...world, exists: existsSync }, false)
  const [place] = files.flatMap(({ file, edits }) => {
    const start = edits.map(edit => entryOrNull(read(file) ?? '', edit)).find(each => each !== null)
    return start ? [{ file, start }] : []
  })
  if (place === undefined) {
    world.say(`${files[0]?.file} has no entry of ours. Write it with: setup ${client.id} --write`)
    return 1
  }
  const { command, args } = place.start
  world.say(`${place.file} starts: ${[command, ...args].join(' ')}`)
  const found = await checkEntry(place.start, { env: world.env, cwd: world.home, clock: world.clock })
  if ('problem' in found) {
    world.say(`FAIL  ${found.problem}\nWrite the entry anew: setup ${client.id} --write`)
    return 1
  }
  world.say(
    `ok    version ${found.version}, ${found.tools.length} tools after ${found.ms} ms: ${found.tools.join(', ')}`,
  )
  return 0
}

function entryOrNull(text: string, edit: Parameters<typeof entryIn>[1]): EntryStart | null {
  try {
    return entryIn(text, edit)
  } catch (cause) {
    throw new TermError('PM_TERM_INVALID_PAYLOAD', `The file of the client cannot be read: ${(cause as Error).message}`)
  }
}

function gateFiles(client: SetupClient, at: Surroundings): readonly FileEdits[] {
  if (client.gate) return client.gate(at)
  const have = SETUP_CLIENTS.filter(each => each.gate).map(({ id }) => id)
  throw new TermError(
    'PM_TERM_INVALID_PAYLOAD',
    `${client.title} asks nobody before its own shell tool, as far as we know: --gate is for ${have.join(', ')}. --only-terminal takes that tool away instead.`,
  )
}

const GATE_NOTES = (title: string): readonly string[] => [
  `What a rule covers ${title} runs itself, in its own shell: we only let it through, do not see its output and keep no record of it.`,
  `Everything else is refused there, and the agent is told to ask you with our tool, in the window.`,
]

/** A file that is changed for two reasons is changed once. */
function merged(files: readonly FileEdits[]): FileEdits[] {
  const names = [...new Set(files.map(({ file }) => file))]
  const editsOf = (name: string) => files.filter(({ file }) => file === name).flatMap(({ edits }) => edits)
  return names.map(file => ({ file, edits: editsOf(file) }))
}

function clientNamed(name: string | undefined): SetupClient {
  const ids = SETUP_CLIENTS.map(({ id }) => id)
  const client = SETUP_CLIENTS.find(({ id }) => id === name)
  if (client) return client
  const meant = name === undefined ? null : closestWord(name, ids)
  const hint = meant === null ? '' : ` Did you mean ${meant}?`
  throw new TermError(
    'PM_TERM_INVALID_PAYLOAD',
    `${name === undefined ? 'Set up which client?' : `There is no client "${name}".${hint}`} There are ${ids.join(', ')}.`,
  )
}

const isChange = ({ before, after }: FileChange): boolean => before !== after

function show(world: SetupWorld, changes: readonly FileChange[]): void {
  for (const { file, before, after } of changes) {
    world.say(`${file}${before === null ? ' (new)' : after === null ? ' (goes)' : ''}`)
    for (const line of lineDiff(before ?? '', after ?? '')) world.say(`  ${line}`)
    world.say('')
  }
}

const asShown = ({ file, before, after }: FileChange): SetupFile => ({
  file,
  lines: lineDiff(before ?? '', after ?? ''),
})

/** Shows, asks, looks again, writes. False: a person said no, or somebody else was faster. */
async function written(
  world: SetupWorld,
  client: SetupClient,
  changes: readonly FileChange[],
  question: string,
  keep: () => void = () => {},
): Promise<boolean> {
  // While a host runs it is a question there, wherever this was typed; else it takes a person at this terminal (docs/spec.md §2.10).
  const approved = changes.length > 0 && (await world.approvedByHost(client.title, changes.map(asShown)))
  if (!approved) world.needPerson()
  show(world, changes)
  if (!approved && changes.length > 0 && !(await world.confirm(question))) {
    world.say('Nothing was changed.')
    return false
  }
  const moved = changes.find(({ file, before }) => read(file) !== before)
  if (moved) {
    world.say(`${moved.file} was changed meanwhile, perhaps by ${client.title} itself. Nothing was changed; try again.`)
    return false
  }
  keep()
  for (const { file, after } of changes)
    if (after === null) rmSync(file, { force: true })
    else writeThrough(file, after)
  return true
}

/** A link stays a link, and the file behind it keeps its mode. */
function writeThrough(file: string, text: string): void {
  const real = existsSync(file) ? realpathSync(file) : file
  writeAtomically(real, text, existsSync(real) ? statSync(real).mode & 0o777 : 0o600)
}

function read(file: string): string | null {
  if (!existsSync(file)) return null
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new TermError('PM_TERM_INVALID_PAYLOAD', `${file} cannot be read: ${(cause as Error).message}`)
  }
}

function readRecord(file: string): SetupRecord | null {
  const text = read(file)
  if (text === null) return null
  try {
    return SetupRecord.parse(JSON.parse(text))
  } catch {
    throw new TermError(
      'PM_TERM_INVALID_PAYLOAD',
      `${file}, where setup keeps what it has written, cannot be read. Move it away.`,
    )
  }
}
