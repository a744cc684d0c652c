import { existsSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { readKeyFile } from '../../base/keys/key-file.ts'
import { toType } from '../../base/own-command.ts'
import type { RuleFiles } from '../../policy/files/rule-files.ts'
import { databaseFault } from '../../runs/journal/database-fault.ts'
import { readJournal } from '../../runs/journal/journal.ts'
import { type CheckFound, Fault } from './check.ts'

/** Whether rules count: one file that cannot be read means that none of its rules does. */
export function rulesCheck(files: RuleFiles, dataDir: string): string {
  const broken = files.brokenFiles()
  if (broken.length > 0)
    throw new Fault(
      broken.map(({ file, problem }) => `${file} ${problem}`).join('; '),
      'Until it is repaired none of its rules counts. Repair the file, or move it away and add the rules anew with "policy add".',
    )
  return `${files.workspaces().length} workspaces in ${dataDir}`
}

/** A file or directory that would be no secret if others could open it. */
export function ownedOnly(path: string, mode: number): string {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat) return `${path} is made when it is first needed`
  const wants = mode === 0o700 ? 'a directory' : 'a file'
  if (stat.isDirectory() !== (mode === 0o700))
    throw new Fault(`${path} is not ${wants}`, 'Move it away; what is needed is made anew.')
  if (process.platform === 'win32') return path
  const uid = process.getuid?.()
  if (uid !== undefined && stat.uid !== uid)
    throw new Fault(`${path} belongs to another user (${stat.uid})`, `Make it yours: sudo chown ${uid} ${path}`)
  if ((stat.mode & 0o077) !== 0)
    throw new Fault(
      `${path} is open to others: chmod ${mode.toString(8)} it`,
      `chmod ${mode.toString(8)} ${path}${mode === 0o600 ? '; if others were on this machine meanwhile, remove it: a new one is made' : ''}`,
    )
  return path
}

/** The same for a key, which also has to be one. */
export function keyCheck(path: string): string {
  const said = ownedOnly(path, 0o600)
  if (!existsSync(path)) return said
  try {
    readKeyFile(path)
  } catch (cause) {
    throw new Fault(
      (cause as Error).message,
      `rm ${path}, then end the host and every agent's server: they make a new one.`,
    )
  }
  return said
}

export async function journalCheck(file: string): Promise<string> {
  if (!existsSync(file)) return `${file} is made by the first host`
  try {
    const opened = await readJournal(file)
    const verified = opened.verify()
    opened.close()
    if (verified.sound) return [`sound, ${verified.head.seq} rows`, ...verified.gaps].join('; ')
    throw new Fault(
      `was changed at row ${verified.seq}: ${verified.problem}`,
      `"${toType('verify')}" says more. What is after that row is not what was written: keep a copy of ${file}.`,
    )
  } catch (cause) {
    if (cause instanceof Fault || databaseFault(cause) !== 'damaged') throw cause
    throw new Fault(
      `is damaged and cannot be read (${(cause as Error).message})`,
      `Keep it under another name: mv ${file} ${file}.damaged; the next host begins a new one.`,
    )
  }
}

export async function httpPort(number: number): Promise<CheckFound> {
  if (number === 0 || (await portIsFree(number))) return `${number} is free`
  return `${number} is taken, maybe by a running interactive-terminal; --http-port chooses another`
}

/** Whether somebody could listen there now. */
export function portIsFree(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
