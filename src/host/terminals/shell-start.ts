import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Profile } from '../../contract/profiles.ts'
import { venvEnv } from '../../runs/plan/virtual-env.ts'
import { shellFor } from './shell-profile.ts'
import { BASH_MARKS, FISH_MARKS, ZSH_ENV, ZSH_MARKS } from './shell-scripts.ts'

/** How the person's own interactive shell is started, with their own files. */
export interface OwnShell {
  readonly program: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** null: this shell does not report where its prompts and commands are. */
  readonly nonce: string | null
}

// Ours. Everything else of the environment is the person's, and so is the shell.
const OURS = /^(PM_.*|TERMINAL_PORT|INTERACTIVE_TERMINAL_.*)$/

/** `directory`: where our additions lie; constant text, written anew at each start so that nobody else's is loaded. */
export function ownShell(
  profile: Profile,
  person: { readonly shell: string; readonly platform: string },
  around: {
    readonly env: Readonly<Record<string, string | undefined>>
    readonly directory: string
    /** The virtual environment that counts in it from the beginning. */
    readonly venv: string | null
  },
): OwnShell {
  const { name, program } = shellFor(profile, person)
  const outside = Object.fromEntries(
    Object.entries(around.env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !OURS.test(entry[0]),
    ),
  )
  const inVenv = venvEnv(around.venv, outside.PATH ?? '')
  const theirs = { ...outside, ...inVenv }

  const file = (path: string, text: string): string => {
    const at = join(around.directory, path)
    mkdirSync(join(at, '..'), { recursive: true, mode: 0o700 })
    writeFileSync(at, text, { mode: 0o600 })
    return at
  }

  const nonce = randomBytes(16).toString('hex')
  // The person's own files may put something before it: our additions, loaded behind them, put it first again.
  const first = inVenv.PATH?.split(delimiter)[0]
  const marked = {
    ...theirs,
    INTERACTIVE_TERMINAL_NONCE: nonce,
    ...(first !== undefined && { INTERACTIVE_TERMINAL_FIRST: first }),
  }

  switch (name) {
    case 'bash':
      return { program, args: ['--rcfile', file('marks.bash', BASH_MARKS), '-i'], env: marked, nonce }
    case 'zsh': {
      file('zsh/.zshrc', ZSH_MARKS)
      const ZDOTDIR = join(file('zsh/.zshenv', ZSH_ENV), '..')
      const INTERACTIVE_TERMINAL_ZDOTDIR = theirs.ZDOTDIR ?? ''
      return { program, args: ['-i'], env: { ...marked, INTERACTIVE_TERMINAL_ZDOTDIR, ZDOTDIR }, nonce }
    }
    case 'fish': {
      const quoted = file('marks.fish', FISH_MARKS).replace(/[\\']/g, '\\$&')
      return { program, args: ['-i', '-C', `source '${quoted}'`], env: marked, nonce }
    }
    case 'powershell':
      return { program, args: ['-NoLogo'], env: theirs, nonce: null }
    case 'sh':
      return { program, args: ['-i'], env: theirs, nonce: null }
    case 'cmd':
      return { program, args: [], env: theirs, nonce: null }
  }
}
