import { loadSettings, type RawSettings } from '../../config/settings.ts'

/** `interactive-terminal where <what>`: one path and nothing else, for scripts that mount it; without `what`, all of them. */
export function whereCommand(
  raw: RawSettings,
  [what]: readonly string[],
  { json }: { readonly json?: unknown },
): number {
  const { paths } = loadSettings(raw)
  const places: Readonly<Record<string, string>> = {
    state: paths.stateDir,
    data: paths.dataDir,
    keys: paths.keysDir,
    'http-token': paths.httpTokenFile,
    settings: paths.settingsFile,
    'bridge-socket': paths.bridgeSocketFile,
  }
  if (what === undefined && json) {
    process.stdout.write(`${JSON.stringify(places, null, 2)}\n`)
    return 0
  }
  if (what === undefined) {
    for (const [name, path] of Object.entries(places)) process.stdout.write(`${name.padEnd(14)} ${path}\n`)
    return 0
  }
  const path = places[what]
  if (path !== undefined) {
    process.stdout.write(`${json ? JSON.stringify({ [what]: path }) : path}\n`)
    return 0
  }
  process.stderr.write(`There is no place "${what}". One of ${Object.keys(places).join(', ')}.\n`)
  return 2
}
