import type { Configuration } from './settings.ts'

/** Where the secrets of this product are that its servers may know: what only hosts read is not among them. */
export function secretFiles({ settings, paths }: Pick<Configuration, 'settings' | 'paths'>): {
  readonly files: readonly string[]
  readonly directories: readonly string[]
} {
  const mounted = [settings.PM_TERM_HTTP_TOKEN_FILE, settings.PM_INTERACTIVE_TERMINAL_KEY_FILE]
  return {
    files: [paths.httpTokenFile, paths.localKeyFile, paths.bridgeKeyFile, ...mounted.filter(file => file !== '')],
    directories: [paths.keysDir],
  }
}
