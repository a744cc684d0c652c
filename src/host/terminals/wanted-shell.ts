import type { Profile } from '../../contract/profiles.ts'

/** A shell as a person wants it. */
export interface WantedShell {
  readonly profile: Profile
  /** Absolute, or from the home directory on (~); null: where shells usually open. */
  readonly cwd: string | null
  /** Seen from there; null: none. */
  readonly venv: string | null
}

/** Where it is on disk. */
export interface ShellPlace {
  readonly cwd: string
  readonly venv: string | null
}
