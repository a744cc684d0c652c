import { existsSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import pc from 'picocolors'
import { systemClock } from '../base/clock.ts'
import { processTable } from '../base/process-table.ts'
import { rowOf, SETTING_NAMES } from '../config/env.ts'
import type { readSettings } from '../config/settings.ts'
import { readPtyHostFile } from '../host/pty-host-launcher.ts'
import { RuleFiles } from '../policy/rule-files.ts'
import { readJournal } from '../runs/journal.ts'
import { RunStore } from '../runs/run-store.ts'
import { bridgeCheck } from './doctor-bridge.ts'
import { readHostFile } from './host-lock.ts'

interface Check {
  readonly name: string
  readonly run: () => Promise<string> | string
}

/** Every setting with its value and source, then every check in the order a request meets it; the first failure explained. */
export async function doctor(
  { configuration, problems }: ReturnType<typeof readSettings>,
  version: string,
): Promise<number> {
  const { settings, sources, paths } = configuration
  say(pc.bold(`interactive-terminal ${version} on Node ${process.version}\n`))
  for (const name of SETTING_NAMES) {
    const source = sources[name]
    const from = source.kind === 'default' ? 'default' : `${source.kind} ${source.name}`
    say(`${pc.cyan(name)} = ${JSON.stringify(settings[name])}  ${pc.dim(`(${from})`)}\n    ${rowOf(name).sentence}`)
  }
  say('')
  const table = processTable(process.platform)
  const store = new RunStore({ stateDir: paths.stateDir, serverId: 'doctor', now: systemClock.now })
  const files = new RuleFiles({ dataDir: paths.dataDir, now: systemClock.now })
  const checks: Check[] = [
    { name: 'Node is new enough', run: () => nodeVersion() },
    {
      name: 'settings are valid',
      run: () => {
        if (problems.length > 0) throw new Error(problems.map(({ name, problem }) => `${name} ${problem}`).join('; '))
        return existsSync(paths.settingsFile)
          ? paths.settingsFile
          : `no ${paths.settingsFile}, all from flags, variables and defaults`
      },
    },
    { name: 'rules can be read', run: () => rules(files, paths.dataDir) },
    { name: 'state directory is yours alone', run: () => ownedOnly(paths.stateDir, 0o700) },
    { name: 'HTTP token is yours alone', run: () => ownedOnly(paths.httpTokenFile, 0o600) },
    { name: 'HTTP port', run: () => port(settings.PM_TERM_HTTP_PORT) },
    {
      name: 'processes can be seen',
      run: () => {
        if (!table.row(process.pid))
          throw new Error('this process cannot find itself: killing a whole tree will not work')
        return process.platform === 'win32' ? 'taskkill' : `${table.rows().length} processes`
      },
    },
    { name: 'key of your servers is yours alone', run: () => ownedOnly(paths.localKeyFile, 0o600) },
    {
      name: 'approver passphrase',
      run: () =>
        existsSync(paths.approverFile)
          ? 'is set'
          : 'is not set yet; "interactive-terminal approve" asks for one when it is first used',
    },
    { name: 'journal', run: () => journal(paths.journalFile) },
    {
      name: 'host',
      run: () => {
        const host = readHostFile(paths.hostFile)
        if (!host || !table.row(host.pid)) return 'none runs; an interactive command starts one'
        return `pid ${host.pid}, servers on 127.0.0.1:${host.port}, approvers on 127.0.0.1:${host.approver_port}`
      },
    },
    { name: 'containers', run: () => bridgeCheck(configuration) },
    {
      name: 'pty-host',
      run: () => {
        if (settings.PM_TERM_PTY_HOST === 'in_process') return 'terminals are in the host itself'
        const pty = readPtyHostFile(paths.ptyHostFile)
        if (!pty || !table.row(pty.pid)) return 'none runs; a host starts one'
        return `pid ${pty.pid} on 127.0.0.1:${pty.port}`
      },
    },
    {
      name: 'nothing was left behind',
      run: () => {
        const left = store.recent(200).runs.filter(run => (run.ended?.survivors ?? []).some(pid => table.row(pid)))
        if (left.length === 0) return 'no run of an interrupted server is still alive'
        throw new Error(
          `still alive: ${left.map(run => `${run.opened.id} (pid ${run.ended?.survivors.join(', ')})`).join('; ')}. kill ends them.`,
        )
      },
    },
  ]
  let failed = 0
  for (const check of checks) {
    try {
      say(`${pc.green('ok')}    ${check.name}: ${await check.run()}`)
    } catch (cause) {
      failed += 1
      say(`${pc.red('FAIL')}  ${check.name}: ${cause instanceof Error ? cause.message : cause}`)
    }
  }
  say(failed === 0 ? '\nAll is well.' : `\n${failed} of ${checks.length} checks failed; mend the first one first.`)
  return failed === 0 ? 0 : 1
}

async function journal(file: string): Promise<string> {
  if (!existsSync(file)) return `${file} is made by the first host`
  const opened = await readJournal(file)
  const verified = opened.verify()
  opened.close()
  if (!verified.sound) throw new Error(`was changed at row ${verified.seq}: ${verified.problem}`)
  return [`sound, ${verified.head.seq} rows`, ...verified.gaps].join('; ')
}

function nodeVersion(): string {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19)) throw new Error(`Node ${process.version} is too old: 20.19 or newer`)
  return process.version
}

function rules(files: RuleFiles, dataDir: string): string {
  const broken = files
    .workspaces()
    .flatMap(id => files.rulesFor({ workspaceId: id, cwd: '/', lane: 'headless' }).broken)
  if (broken.length > 0) throw new Error(broken.map(({ file, problem }) => `${file} ${problem}`).join('; '))
  return `${files.workspaces().length} workspaces in ${dataDir}`
}

function ownedOnly(path: string, mode: number): string {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat) return `${path} is made when it is first needed`
  if (process.platform !== 'win32' && (stat.mode & 0o077) !== 0)
    throw new Error(`${path} is open to others: chmod ${mode.toString(8)} it`)
  return path
}

function port(number: number): Promise<string> {
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', () =>
      resolve(`${number} is taken, maybe by a running interactive-terminal; --http-port chooses another`),
    )
    server.listen(number, '127.0.0.1', () => server.close(() => resolve(`${number} is free`)))
  })
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
