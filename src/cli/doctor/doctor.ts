import { existsSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import pc from 'picocolors'
import { systemClock } from '../../base/clock.ts'
import { processTable } from '../../base/process/process-table.ts'
import { rowOf, SETTING_NAMES } from '../../config/env.ts'
import { type Configuration, type RawSettings, readSettings } from '../../config/settings.ts'
import { readPtyHostFile } from '../../host/pty/launcher.ts'
import { RuleFiles } from '../../policy/files/rule-files.ts'
import { readJournal } from '../../runs/journal/journal.ts'
import { RunStore } from '../../runs/store/run-store.ts'
import { changedBundle, ownBundle } from '../machine/check-bundle.ts'
import { say } from '../machine/say.ts'
import { whereabouts } from '../machine/whereabouts.ts'
import { brokenRecord, howToSet } from '../reach/approver-file.ts'
import { brokenHostFile, readHostFile } from '../reach/host-lock.ts'
import { bridgeCheck, containerCheck } from './bridge.ts'
import { decisionsCheck } from './decisions.ts'
import { sandboxCheck } from './sandbox.ts'
import { stateRoom } from './state.ts'

interface Check {
  readonly name: string
  readonly run: () => Promise<string> | string
}

/** Every check in the order a request meets it, the first failure explained; then the settings that somebody set, or all of them. */
export async function doctor(raw: RawSettings, version: string, show: { settings: boolean }): Promise<number> {
  const { configuration, problems } = readSettings(raw)
  const place = await whereabouts(configuration, raw)
  const { settings, paths } = configuration
  say(pc.bold(`interactive-terminal ${version} on Node ${process.version}\n`))

  const table = processTable(process.platform)
  const store = new RunStore({ stateDir: paths.stateDir, serverId: 'doctor', now: systemClock.now })
  const files = new RuleFiles({ dataDir: paths.dataDir, now: systemClock.now })

  const checks: Check[] = [
    { name: 'Node is new enough', run: () => nodeVersion() },
    {
      name: 'this program is what was built',
      run: () => {
        const changed = changedBundle(ownBundle())
        if (changed !== null) throw new Error(changed)
        return ownBundle()
      },
    },
    {
      name: 'settings are valid',
      run: () => {
        if (problems.length > 0) throw new Error(problems.map(({ name, problem }) => `${name} ${problem}`).join('; '))
        return existsSync(paths.settingsFile)
          ? paths.settingsFile
          : `no ${paths.settingsFile}, all from flags, variables and defaults`
      },
    },

    { name: 'this is a container', run: () => containerCheck(configuration, place) },
    { name: 'rules can be read', run: () => rules(files, paths.dataDir) },
    { name: 'state directory is yours alone', run: () => ownedOnly(paths.stateDir, 0o700) },
    { name: 'state directory can be written', run: () => stateRoom(paths.stateDir) },

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
      run: () => {
        const broken = brokenRecord(paths.approverFile)
        if (broken !== null) throw new Error(broken)
        if (existsSync(paths.approverFile)) return 'is set'
        return place.container.inContainer === 'yes' && !existsSync(paths.hostFile)
          ? 'is that of the host outside'
          : `is not set yet, so whoever can end the host can start another and answer in it. Set one ${howToSet()}`
      },
    },

    { name: 'journal', run: () => journal(paths.journalFile) },
    { name: 'trying first', run: () => sandboxCheck(configuration) },
    { name: 'what you decided', run: () => decisionsCheck(configuration, version) },
    {
      name: 'host',
      run: async () => {
        const broken = await brokenHostFile(paths.hostFile)
        if (broken) throw new Error(broken.why)
        const host = readHostFile(paths.hostFile)
        if (!host || !table.row(host.pid))
          return place.container.inContainer === 'yes'
            ? 'none runs in this container, and no command starts one'
            : 'none runs; an interactive command starts one'
        return `pid ${host.pid}, servers on 127.0.0.1:${host.port}, approvers on 127.0.0.1:${host.approver_port}`
      },
    },

    { name: 'containers', run: () => bridgeCheck(configuration, place) },
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
  say(failed === 0 ? '\nAll is well.' : `\n${failed} of ${checks.length} checks failed; fix the first one first.`)
  showSettings(configuration, show.settings)
  return failed === 0 ? 0 : 1
}

function showSettings({ settings, sources }: Configuration, all: boolean): void {
  const shown = SETTING_NAMES.filter(name => all || sources[name].kind !== 'default')
  say(`\n${all ? 'Settings' : 'Settings that are not as by default'}: ${shown.length === 0 ? 'none' : ''}`)
  for (const name of shown) {
    const source = sources[name]
    const from = source.kind === 'default' ? 'default' : `${source.kind} ${source.name}`
    say(`${pc.cyan(name)} = ${JSON.stringify(settings[name])}  ${pc.dim(`(${from})`)}\n    ${rowOf(name).sentence}`)
  }
  if (!all) say('"doctor --settings" shows all of them.')
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
  const broken = files.brokenFiles()
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
