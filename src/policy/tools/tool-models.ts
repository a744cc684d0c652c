import type { Hazard, Inspector } from '../model/option-model.ts'
import { HELP, type ToolModel, type ToolTable, tools } from '../model/tool-model.ts'
import { ARCHIVE_TOOLS } from './archive-tools.ts'
import { AWK } from './awk-model.ts'
import { BUILD_TOOLS } from './build-tools.ts'
import { BUNDLERS } from './bundlers.ts'
import { FILE_TOOLS } from './file-tools.ts'
import { FIND } from './find-model.ts'
import { GIT } from './git-model.ts'
import { NETWORK_TOOLS } from './network-tools.ts'
import { packageManagers } from './package-managers.ts'
import { PAGERS } from './pagers.ts'
import { READING_TOOLS } from './reading-tools.ts'
import { runtimes } from './runtimes.ts'
import { SED } from './sed-model.ts'
import { SERVICE_TOOLS } from './service-tools.ts'
import { SHELL_BUILTINS } from './shell-builtins.ts'
import { TEST_AND_LINT_TOOLS } from './test-and-lint-tools.ts'
import { wrappers } from './wrappers.ts'

/** The model of the tool an argv starts with, or null for a tool we know nothing about. */
export function modelFor(argv: readonly string[], letters: 'as_typed' | 'any_case' = 'as_typed'): ToolModel | null {
  const typed = toolName(argv[0] ?? '')
  const name = letters === 'any_case' ? typed.toLowerCase() : typed
  return Object.hasOwn(MODELS, name) ? (MODELS[name] ?? null) : null
}

/** `/usr/bin/python3.11` and `python.exe` are python. */
export function toolName(program: string): string {
  const name = program
    .slice(Math.max(program.lastIndexOf('/'), program.lastIndexOf('\\')) + 1)
    .replace(/\.(exe|cmd|bat|com)$/i, '')
  if (/^ld(-linux.*)?(-[\d.]+)?\.so(\.\d+)?$/.test(name)) return 'ld.so'
  const versioned = /^(python|pip|node|ruby|perl|php|lua|gcc|g\+\+|clang|clang\+\+)-?\d[\d.]*$/.exec(name)
  return versioned?.[1] ?? (name === 'hub' ? 'git' : name.replace(GNU_NAME, ''))
}

/** `gtimeout`, `gsort`: what GNU's tools are called where the system has its own. */
const GNU_NAME =
  /^g(?=(?:timeout|nice|nohup|xargs|env|stdbuf|chroot|sort|date|tar|tee|dd|cp|mv|ln|rm|install|split|csplit|shuf|truncate|shred|chmod|chown|make|find|sed|ls|cat|head|tail|wc|cut|uniq|stat|du|df|base64|tac|realpath|readlink)$)/

const ANYWHERE: ToolTable = { ...READING_TOOLS, ...PAGERS, ...SHELL_BUILTINS, ...FIND, ...SED, ...AWK }

/** Whether what a tool does depends on the project around it: its scripts, its configuration, its repository. */
export function actsOnDirectory(argv: readonly string[]): boolean {
  return !Object.hasOwn(ANYWHERE, toolName(argv[0] ?? ''))
}

/** The tool behind a runner: `npx vitest run` is judged as vitest from the word `vitest` on. */
const behind: Inspector = (argv, at) => {
  const inner = argv.slice(at)
  return (modelFor(inner)?.inspect(inner, 1) ?? []).map(hazard => ({ ...hazard, at: hazard.at + at }))
}

/** Tests and linters look at the project and at nothing else; what is behind a runner or `-m` is judged as itself. */
export function mayEndOpen(words: readonly string[]): boolean {
  const name = toolName(words[0] ?? '')
  if (/^(npx|bunx|pnpx|uvx)$/.test(name)) return words.length > 1 && looksOnly(words[1] ?? '')
  if (name === 'python' || name === 'python3') return words[1] === '-m' && looksOnly(words[2] ?? '')
  return words.length > 1 && (looksOnly(name) || (modelFor(words)?.mayEndOpen?.(words) ?? false))
}

const looksOnly = (program: string): boolean => {
  const name = toolName(program)
  return Object.hasOwn(TEST_AND_LINT_TOOLS, name) || name === 'tsc'
}

const RUNS_PACKAGE = 'runs any package'
const packageRunner: ToolModel = {
  globs: 'after_text',
  inspect: (argv, start) => {
    if (argv.length === start + 1 && HELP.test(argv[start] as string)) return []
    const hazards: Hazard[] = []
    for (let at = start; at < argv.length; at += 1) {
      const name = !(argv[at] as string).startsWith('-')
      hazards.push({ at, why: RUNS_PACKAGE, ...(name ? { kind: 'choice' as const } : {}) })
      if (name) return [...hazards, ...behind(argv, at)]
    }
    return hazards
  },
}

const MODELS: ToolTable = {
  ...SERVICE_TOOLS,
  ...packageManagers((argv, at) => behind(argv, at)),
  ...BUILD_TOOLS,
  ...BUNDLERS,
  ...TEST_AND_LINT_TOOLS,
  ...NETWORK_TOOLS,
  ...ARCHIVE_TOOLS,
  ...runtimes(behind),
  ...wrappers(argv => modelFor(argv)),
  ...READING_TOOLS,
  ...PAGERS,
  ...FILE_TOOLS,
  ...SHELL_BUILTINS,
  ...FIND,
  ...SED,
  ...AWK,
  ...GIT,
  ...tools('npx bunx uvx pnpx', packageRunner),
}
