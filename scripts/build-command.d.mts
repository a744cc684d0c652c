export interface BuildWish {
  readonly clean: boolean
  readonly profile: 'release' | 'debug'
  readonly test: boolean
  readonly run: boolean
  readonly port: string | null
  readonly quiet: boolean
  readonly forPackage: boolean
}
export type BuildLine = BuildWish | { readonly say: string; readonly code: number }
export const PROFILES: readonly string[]
export function readBuildLine(argv: readonly string[]): BuildLine
export function problemsOf(dist: string, files: readonly string[]): string[]
export function checkCommands(port: string | null, platform?: NodeJS.Platform): [command: string, sentence: string][]
