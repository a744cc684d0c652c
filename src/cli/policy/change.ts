import { createInterface } from 'node:readline/promises'
import { systemClock } from '../../base/clock.ts'
import type { Configuration } from '../../config/settings.ts'
import { TermError } from '../../contract/tool/errors.ts'
import { checkRule } from '../../policy/files/check-rule.ts'
import type { Decisions } from '../../policy/files/decisions.ts'
import { RuleFiles } from '../../policy/files/rule-files.ts'
import { trustObjection } from '../../policy/files/trust-ground.ts'
import type { RuleLayer } from '../../policy/files/workspace-files.ts'
import { trustGround } from '../machine/world.ts'
import { decideHere, hostHidden } from '../person/decide-here.ts'
import { needTerminal, refuseInsideRun } from '../person/person-check.ts'
import { approvedByHost } from '../reach/ask-host.ts'

export type PolicyChange =
  | {
      readonly verb: 'trust'
      readonly id: string
      readonly directory: string
      readonly trusted: boolean
      readonly tries?: boolean
    }
  | { readonly verb: 'add' | 'remove'; readonly id: string; readonly layer: RuleLayer; readonly pattern: string }

interface PolicyDeps {
  readonly configuration: Configuration
  readonly files: RuleFiles
  readonly version: string
}

/**
 * Changes what may run without asking, by a person's word: while a host runs it is a question in its window, else it takes a
 * terminal. Either way the journal has it before it counts (docs/spec.md D26). False: the person thought better of it.
 */
export async function changePolicy(deps: PolicyDeps, change: PolicyChange): Promise<boolean> {
  const { configuration, version } = deps
  refuseInsideRun(configuration.paths.stateDir)
  check(deps, change)
  const who = { name: 'interactive-terminal policy', version }
  const frame = { type: 'allowlist_update' as const, ...asFrame(change) }
  const approved = await approvedByHost(configuration, who, ids => ({ ...frame, ...ids }), 'allowlist_updated')
  return approved || changeHere(deps, change)
}

/** What could never be is refused at once, without a question. */
function check({ configuration, files }: PolicyDeps, change: PolicyChange): void {
  if (change.verb === 'trust') {
    const real = files.bindable(change.id, change.directory)
    const objection = trustObjection(real, trustGround(configuration.paths))
    if (objection !== null)
      throw new TermError('PM_TERM_INVALID_PAYLOAD', `${real} cannot be a workspace: ${objection}.`)
  } else files.changeable(change.id, change.layer, change.verb === 'add' ? [change.pattern] : [])
}

const asFrame = (change: PolicyChange) =>
  change.verb === 'trust'
    ? {
        workspace_id: change.id,
        layer: 'base' as const,
        operation: 'add' as const,
        patterns: [],
        bind: bindingOf(change),
      }
    : { workspace_id: change.id, layer: change.layer, operation: change.verb, patterns: [change.pattern] }

async function changeHere({ configuration, files }: PolicyDeps, change: PolicyChange): Promise<boolean> {
  // Taking a rule away narrows, which needs nobody in front of it.
  if (change.verb !== 'remove') needTerminal()
  if (change.verb === 'add' && !(await confirmed(change.pattern))) return false
  const { id } = change
  // Nothing is written down about what cannot be.
  if (change.verb === 'remove' && !files.patternsOf(id, change.layer).includes(change.pattern))
    throw new TermError('PM_TERM_NOT_FOUND', `There is no pattern "${change.pattern}" in the workspace "${id}".`)
  const filesBy = (decisions: Decisions) =>
    new RuleFiles({ dataDir: configuration.paths.dataDir, now: systemClock.now, decisions })
  const done = await decideHere(configuration, {
    widens: change.verb !== 'remove',
    kind: 'rules_changed',
    body: { workspace_id: id, by: 'command line', ...rowOf(change) },
    decide: decisions => decideOn(decisions, change),
    effect: decisions => {
      if (change.verb === 'trust') filesBy(decisions).bind(id, change.directory, change.trusted, change.tries)
      else filesBy(decisions)[change.verb](id, change.layer, change.pattern)
    },
  })
  if (done === 'a host runs') throw hostHidden()
  return true
}

function decideOn(decisions: Decisions, change: PolicyChange): void {
  if (change.verb === 'trust') decisions.bind(change.id, change.directory, change.trusted, change.tries)
  else if (change.verb === 'add') decisions.accept(change.id, change.layer, change.pattern)
  else decisions.drop(change.id, change.layer, [change.pattern])
}

const bindingOf = ({ directory, trusted, tries }: Extract<PolicyChange, { verb: 'trust' }>) => ({
  directory,
  trusted,
  ...(tries !== undefined && { tries }),
})

const rowOf = (change: PolicyChange) =>
  change.verb === 'trust'
    ? { ...bindingOf(change), added: [], removed: [] }
    : {
        layer: change.layer,
        added: change.verb === 'add' ? [change.pattern] : [],
        removed: change.verb === 'remove' ? [change.pattern] : [],
      }

/** A rule that is wider than it looks is confirmed a second time, with the reason. */
async function confirmed(pattern: string): Promise<boolean> {
  const advice = checkRule(pattern)
  if (advice.advice !== 'confirm') return true
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await terminal.question(`"${pattern}" is wide: ${advice.why}.\nAdd it all the same? Type yes: `)
  terminal.close()
  return answer.trim().toLowerCase() === 'yes'
}
