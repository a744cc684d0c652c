import { existsSync } from 'node:fs'
import { systemClock } from '../../base/clock.ts'
import { toType } from '../../base/own-command.ts'
import { processTable } from '../../base/process/process-table.ts'
import { type RawSettings, readSettings } from '../../config/settings.ts'
import { RuleFiles } from '../../policy/files/rule-files.ts'
import { RunStore } from '../../runs/store/run-store.ts'
import { changedBundle, ownBundle } from '../machine/check-bundle.ts'
import { say } from '../machine/say.ts'
import { whereabouts } from '../machine/whereabouts.ts'
import { brokenRecord, howToSet } from '../reach/approver-file.ts'
import { bridgeCheck, containerCheck } from './bridge.ts'
import { type Check, Fault, runChecks } from './check.ts'
import { decisionsCheck } from './decisions.ts'
import { httpPort, journalCheck, keyCheck, ownedOnly, rulesCheck } from './files.ts'
import { HostWay } from './host-way.ts'
import { reportJson, reportText } from './report.ts'
import { sandboxCheck } from './sandbox.ts'
import { stateRoom } from './state.ts'
import { windowCheck } from './window.ts'

/** Every check in the order a request meets it, the first failure explained; then the settings that somebody set, or all of them. */
export async function doctor(
  raw: RawSettings,
  version: string,
  show: { readonly settings: boolean; readonly json: boolean },
): Promise<number> {
  const { configuration, problems } = readSettings(raw)
  const place = await whereabouts(configuration, raw)
  const { settings, paths } = configuration
  const table = processTable(process.platform)
  const inContainer = place.container.inContainer === 'yes'
  const way = new HostWay(configuration, { version, table, inContainer })

  const here: Check[] = [
    { name: 'Node is new enough', run: nodeVersion, fix: 'Install Node 20.19 or newer, and start this with it.' },
    {
      name: 'this program is what was built',
      run: () => {
        const changed = changedBundle(ownBundle())
        if (changed !== null) throw new Fault(changed, 'Install it anew, or build it: npm run build -- --clean')
        return ownBundle()
      },
    },
    {
      name: 'settings are valid',
      fix: `Change it there: ${paths.settingsFile}, the variable or the flag of that name. "${toType('doctor --settings')}" shows all of them.`,
      run: () => {
        if (problems.length > 0) throw new Error(problems.map(({ name, problem }) => `${name} ${problem}`).join('; '))
        return existsSync(paths.settingsFile)
          ? paths.settingsFile
          : `no ${paths.settingsFile}, all from flags, variables and defaults`
      },
    },
    { name: 'state directory is yours alone', run: () => ownedOnly(paths.stateDir, 0o700) },
    {
      name: 'state directory can be written',
      run: () => stateRoom(paths.stateDir),
      fix: 'Without it no host starts. Make room or make it writable, or choose another place with PM_TERM_HOME.',
    },
    { name: 'key of your servers is yours alone', run: () => keyCheck(paths.localKeyFile) },
    { name: 'HTTP token is yours alone', run: () => ownedOnly(paths.httpTokenFile, 0o600) },
    {
      name: 'approver passphrase',
      fix: `Move ${paths.approverFile} away and set it anew ${howToSet()}.`,
      run: () => {
        const broken = brokenRecord(paths.approverFile)
        if (broken !== null) throw new Error(broken)
        if (existsSync(paths.approverFile)) return 'is set'
        return inContainer && !existsSync(paths.hostFile)
          ? 'is that of the host outside'
          : `is not set yet, so whoever can end the host can start another and answer in it. Set one ${howToSet()}`
      },
    },
  ]

  const throughTheHost: Check[] = [
    { name: 'host', run: () => way.dial() },
    { name: 'hello', run: () => way.hello(), fix: `"${toType('stop')}", then ${toType()}` },
    { name: 'pty-host', run: () => way.pty() },
    { name: 'window', run: () => (inContainer ? { skipped: 'is outside' } : windowCheck(settings, way.status)) },
    {
      name: 'rules can be read',
      run: () => rulesCheck(new RuleFiles({ dataDir: paths.dataDir, now: systemClock.now }), paths.dataDir),
    },
    {
      name: 'what you decided',
      run: () => decisionsCheck(configuration, version),
      fix: 'Start the host: it asks you about each row, and nothing counts until you have answered.',
    },
    { name: 'journal', run: () => journalCheck(paths.journalFile) },
    {
      name: 'containers',
      run: () => bridgeCheck(configuration, place),
      fix: 'See docs/containers.md. On the host: is it running, is this container paired there ("pair --list"), and does it listen ("doctor")?',
    },
    {
      name: 'this is a container',
      run: () => containerCheck(configuration, place),
      fix: 'Pair it with your machine, or, if this container is your machine: npm start -- --here. See docs/containers.md.',
    },
  ]

  const beside: Check[] = [
    { name: 'HTTP port', run: () => httpPort(settings.PM_TERM_HTTP_PORT) },
    { name: 'trying first', run: () => sandboxCheck(configuration) },
    {
      name: 'processes can be seen',
      fix: 'Is /proc mounted, and may you see your own processes in it?',
      run: () => {
        if (!table.row(process.pid))
          throw new Error('this process cannot find itself: killing a whole tree will not work')
        return process.platform === 'win32' ? 'taskkill' : `${table.rows().length} processes`
      },
    },
    {
      name: 'nothing was left behind',
      fix: 'End them by their pid once you have looked what they are.',
      run: () => {
        const store = new RunStore({ stateDir: paths.stateDir, serverId: 'doctor', now: systemClock.now })
        const left = store.recent(200).runs.filter(run => (run.ended?.survivors ?? []).some(pid => table.row(pid)))
        if (left.length === 0) return 'no run of an interrupted server is still alive'
        throw new Error(
          `still alive: ${left.map(run => `${run.opened.id} (pid ${run.ended?.survivors.join(', ')})`).join('; ')}. kill ends them.`,
        )
      },
    },
  ]

  // Neither timers nor sockets of ours keep the process alive.
  const awake = setInterval(() => {}, 1000)
  const results = await runChecks([...here, ...throughTheHost, ...beside], systemClock.elapsed).finally(() => {
    way.close()
    clearInterval(awake)
  })
  const report = { version, results, configuration }
  const failed = results.some(({ outcome }) => outcome === 'failed')
  return say(show.json ? reportJson(report) : reportText(report, show.settings), failed ? 1 : 0)
}

function nodeVersion(): string {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19)) throw new Error(`Node ${process.version} is too old: 20.19 or newer`)
  return process.version
}
