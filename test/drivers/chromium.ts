import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { type Browser, chromium, type LaunchOptions } from 'playwright-core'
import { findBrowser } from '../../src/host/screen/find-browser.ts'

/** The system's own, which can also show windows on a screen; null: there is none. */
export const SYSTEM_CHROMIUM = findBrowser(process.platform, process.env)

/** The same Chromium without the parts that draw windows: a page costs half the processor time in it. It shows no notifications. */
const WITHOUT_WINDOWS = '/usr/bin/chromium-headless-shell'

/** Pages are tested everywhere: where the system has no Chromium, npm has one without windows. Without its own sandbox: root, and a machine without user namespaces, cannot have it. */
export async function launchChromium(
  { args = [], ...options }: LaunchOptions = {},
  notifies = false,
): Promise<Browser> {
  const system = existsSync(WITHOUT_WINDOWS) && !notifies ? WITHOUT_WINDOWS : SYSTEM_CHROMIUM
  const executablePath = system ?? (await npmChromium())
  return chromium.launch({ ...options, executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage', ...args] })
}

const modules = resolve(import.meta.dirname, '../../node_modules')
const PACKED = join(modules, '@sparticuz/chromium')
/** Beside the program: libraries that a machine without any browser does not have, a font, and what draws without a graphics card. */
const PARTS = ['chromium.br', 'al2023.tar.br', 'fonts.tar.br', 'swiftshader.tar.br']
const UNPACK = `import { inflate } from '@sparticuz/chromium'
for (const file of process.argv.slice(1)) await inflate(file)`

/** Unpacked on first use. Whoever is first puts it there whole; others who unpack at the same time use that one. */
async function npmChromium(): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(PACKED, 'package.json'), 'utf8')) as { version: string }
  const place = join(modules, '.cache', `chromium-${version}`)
  if (!existsSync(place)) {
    mkdirSync(join(modules, '.cache'), { recursive: true })
    const fresh = mkdtempSync(`${place}-`)
    // It unpacks into the temporary directory: a process of its own, for which that is here.
    await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '-e', UNPACK, ...PARTS.map(part => join(PACKED, 'bin', part))],
      { cwd: modules, env: { ...process.env, TMPDIR: fresh } },
    )
    writeFileSync(join(fresh, 'start.sh'), startScript(place), { mode: 0o755 })
    writeFileSync(join(fresh, 'fonts.conf'), fontsFile(place))
    try {
      renameSync(fresh, place)
    } catch {
      rmSync(fresh, { recursive: true, force: true })
    }
  }
  return join(place, 'start.sh')
}

const startScript = (place: string) => `#!/bin/sh
export LD_LIBRARY_PATH='${place}/al2023/lib'
[ -e /etc/fonts/fonts.conf ] || export FONTCONFIG_FILE='${place}/fonts.conf'
exec '${place}/chromium' "$@"
`
const fontsFile = (place: string) =>
  `<fontconfig><dir>${place}/fonts</dir><cachedir>${place}/fonts-cache</cachedir></fontconfig>\n`
