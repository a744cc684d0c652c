import type { RuledProject, RuleFile } from '../../contract/window/rules-frames.ts'
import type { RuleFiles } from './rule-files.ts'
import { RULE_FILE } from './workspace-files.ts'

const NOT_DECIDED =
  'somebody wrote this project into our files, and no person has agreed: a card asks about it, and nothing of it counts'
const NO_FOLDER = 'no folder is bound to it, so its rules count nowhere'

/** Every project that files of ours speak of, with its rules as they are in force now: each says whether it counts, and why not. */
export const projectRules = (files: RuleFiles): RuledProject[] =>
  files.atOnce(() => files.workspaces().flatMap(id => projectOf(files, id) ?? []))

function projectOf(files: RuleFiles, id: string): RuledProject | null {
  const { binding, broken: brokenBinding, layers } = files.inFiles(id)
  const known = layers.some(({ patterns, problem }) => patterns.length > 0 || problem !== null)
  if (binding === null && brokenBinding === null && !known) return null

  const counting = files.edits.binding(id)
  const problem =
    brokenBinding !== null
      ? `${brokenBinding.file} ${brokenBinding.problem}`
      : binding === null
        ? NO_FOLDER
        : counting === null
          ? NOT_DECIDED
          : null
  return {
    workspace_id: id,
    directory: binding?.directory ?? brokenBinding?.directory ?? null,
    trusted: counting?.trusted ?? false,
    tries: counting !== null && files.triesFirst(id),
    problem,
    claims_trust: counting !== null && binding?.trusted === true && !counting.trusted,
    files: layers.map(({ layer, file, patterns, problem: broken }) => ({
      layer,
      file,
      problem: broken,
      patterns: patternsOf(files, { layer, patterns, directory: counting?.directory ?? null }),
    })),
  }
}

/** As the gate sees them from the project's own directory. */
function patternsOf(
  files: RuleFiles,
  { layer, patterns, directory }: { layer: RuleFile['layer']; patterns: readonly string[]; directory: string | null },
): RuleFile['patterns'] {
  if (patterns.length === 0) return []
  if (directory === null) return patterns.map(pattern => ({ pattern, idle: 'its project does not count' }))
  const { rules, idle, broken } = files.rulesFor({ cwd: directory, lane: 'headless' })
  const source = RULE_FILE[layer]
  return patterns.map(pattern => {
    const [bad] = broken
    if (bad) return { pattern, idle: `${bad.file} ${bad.problem}; until it is fixed no rule counts here` }
    const known = idle.find(each => each.pattern === pattern && each.source === source)
    const counts = rules.some(each => each.pattern.text === pattern && each.source === source)
    return { pattern, idle: known?.why ?? (counts ? null : 'it is not in force') }
  })
}
