import { basename, resolve } from 'node:path'
import { isInside } from './inside.ts'
import type { Shell, SimpleCommand } from './reading.ts'
import type { Rules } from './rules.ts'
import { CHANGES_SHELL, isBuiltin } from './tools/shell-builtins.ts'
import { actsOnDirectory } from './tools/tool-models.ts'

/** What surrounds the words of a command: the shell's state, the directory, the program file, our own files. */

/** A builtin that changes the shell changes what the rest of the line means, even if a rule names it. */
export function stateProblem(commands: readonly SimpleCommand[]): string | null {
  if (commands.length < 2) return null
  const found = commands.find(({ argv }) => CHANGES_SHELL.has(argv[0] ?? ''))
  return found ? `${found.argv[0]} changes what the rest of the line means` : null
}

export interface Place {
  readonly cwd: string
  /** Why this command may not run there unasked. */
  readonly problem: string | null
}

/** Follows `cd` through a line. A project tool that ends up outside the directory the rules are for is not covered. */
export function walkDirectories(commands: readonly SimpleCommand[], cwd: string, rules: Rules): Place[] {
  const home = rules.workspace && isInside(rules.workspace.directory, cwd) ? rules.workspace.directory : cwd
  let at: string | null = cwd
  return commands.map(({ argv }): Place => {
    const outside = at === null || !isInside(home, rules.facts.realPath(at))
    const problem =
      outside && actsOnDirectory(argv) ? `${argv[0]} would work outside the directory the rules are for` : null
    const place = { cwd: at ?? cwd, problem }
    if (/^(cd|pushd|popd|chdir|Set-Location|sl)$/i.test(argv[0] ?? '')) {
      const target = argv.slice(1).find(word => word === '-' || !word.startsWith('-'))
      at = at === null || target === undefined || target === '-' ? null : resolve(at, target)
    }
    return place
  })
}

export function programProblem(program: string, shell: Shell | 'none', rules: Rules): string | null {
  if (shell !== 'none' && isBuiltin(program, shell)) return null
  const found = rules.facts.program(program)
  return 'problem' in found ? `${program}: ${found.problem}` : null
}

/** Lines that name our state or our program could widen what is allowed. */
export function namesUs(argv: readonly string[], cwd: string, rules: Rules): boolean {
  return argv.some(word => {
    if (/^interactive-terminal(\.\w+)?$/.test(basename(word))) return true
    const values = word.startsWith('-')
      ? [word.slice(word.indexOf('=') + 1), word.slice(2)]
      : [word, word.slice(word.indexOf('=') + 1)]
    return values.some(value => {
      if (value === '' || rules.facts.ours.length === 0) return false
      const path = rules.facts.realPath(resolve(cwd, value))
      return rules.facts.ours.some(own => isInside(own, path))
    })
  })
}
