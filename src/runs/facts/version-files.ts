import { dirname, join } from 'node:path'
import { startOf } from './first-line.ts'

/** Where asdf, mise, pyenv, rbenv and their kin put a program for each name: which one it starts, files around the command say. */
const SHIMS = /[\\/]shims[\\/]*$/
const LONGEST_TEXT = 64 * 1024

/** What such a file may hold, and when that is a place instead of a version. */
const FILES: readonly { readonly name: string; readonly namesPlace: RegExp }[] = [
  { name: '.tool-versions', namesPlace: /\bpath:/ },
  ...'python ruby node nodejs java go php perl lua terraform elixir erlang crystal'
    .split(' ')
    .map(tool => ({ name: `.${tool}-version`, namesPlace: /[\\/]/ })),
  ...'mise.toml .mise.toml mise.local.toml .mise.local.toml mise/config.toml .mise/config.toml .config/mise.toml .config/mise/config.toml .rtx.toml'
    .split(' ')
    .map(name => ({ name, namesPlace: /./ })),
]

/** The file that makes a program found here whatever it likes, for a command that runs in this directory; null: none does. */
export function fileThatChooses(directory: string, cwd: string): string | null {
  if (!SHIMS.test(directory)) return null
  for (let at = cwd; ; at = dirname(at)) {
    for (const { name, namesPlace } of FILES) {
      const file = join(at, name)
      const text = startOf(file, LONGEST_TEXT)
      if (text !== null && namesPlace.test(text)) return file
    }
    if (dirname(at) === at) return null
  }
}
