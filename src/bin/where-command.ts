import { loadSettings, type RawSettings } from '../config/settings.ts'

/** `interactive-terminal where <what>`: one path and nothing else, for scripts that mount it. */
export function whereCommand(raw: RawSettings, [what]: readonly string[]): number {
  const { paths } = loadSettings(raw)
  const places: Readonly<Record<string, string>> = {
    state: paths.stateDir,
    data: paths.dataDir,
    keys: paths.keysDir,
    'http-token': paths.httpTokenFile,
    settings: paths.settingsFile,
    'bridge-socket': paths.bridgeSocketFile,
  }
  const path = what === undefined ? undefined : places[what]
  if (path !== undefined) {
    process.stdout.write(`${path}\n`)
    return 0
  }
  process.stderr.write(`Where is what? One of ${Object.keys(places).join(', ')}.\n`)
  return 2
}
