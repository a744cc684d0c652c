import { accessSync, constants, realpathSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

const ON_PATH = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'microsoft-edge-stable',
  'brave-browser',
  'vivaldi',
]
const MAC_APPS = ['Google Chrome', 'Microsoft Edge', 'Chromium', 'Brave Browser', 'Vivaldi']
const WINDOWS_PROGRAMS = [
  'Google\\Chrome\\Application\\chrome.exe',
  'Microsoft\\Edge\\Application\\msedge.exe',
  'BraveSoftware\\Brave-Browser\\Application\\brave.exe',
]

/** A browser that can show a page as a window of its own; null: none of that family is here. */
export function findBrowser(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): string | null {
  const candidates =
    platform === 'darwin'
      ? MAC_APPS.map(name => `/Applications/${name}.app/Contents/MacOS/${name}`)
      : platform === 'win32'
        ? ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap(name =>
            WINDOWS_PROGRAMS.map(program => join(env[name] ?? 'C:\\Program Files', program)),
          )
        : ON_PATH.flatMap(name =>
            (env.PATH ?? '')
              .split(delimiter)
              .filter(isAbsolute)
              .map(directory => join(directory, name)),
          )
  return candidates.find(isUsable) ?? null
}

function isUsable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    // One in a snap sees neither our directory nor a profile in it.
    return !realpathSync(file).startsWith('/snap/') && realpathSync(file) !== '/usr/bin/snap'
  } catch {
    return false // not here
  }
}
