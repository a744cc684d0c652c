import type { CommandQuestion } from '../../approving/question.ts'
import type { AskedRun, LineQuestion } from '../../runs/run/approver.ts'
import { explained } from '../../runs/run/explained.ts'
import { type ProjectDeps, projectAt } from '../questions/project-at.ts'
import type { Requester } from '../questions/requester.ts'
import { ruleObjection } from '../questions/scoped-rules.ts'
import { shellFor } from '../terminals/shell-profile.ts'
import { type InteractiveGate, isGrave } from './gate.ts'
import type { EditorTab, JudgedRequest } from './prepared-request.ts'

export interface QuestionDeps extends ProjectDeps {
  readonly gate: InteractiveGate
  readonly person: { readonly shell: string; readonly platform: string }
}

/** The card, with all that a person needs to decide. */
export function commandQuestion(
  deps: QuestionDeps,
  about: {
    prepared: JudgedRequest
    question: LineQuestion
    by: Requester
    askId: string
    askedAt: number
    patienceMs: number
  },
): CommandQuestion {
  const { prepared, question, by } = about
  const { frame, place } = prepared
  const { run, verdict } = question

  const plan = question.plan()
  const grave = isGrave(verdict)
  const project = projectAt(place.cwd, deps)
  const workspace = project.kind === 'bound' ? project : null
  // A rule for a line says nothing about what the person's shell makes of it.
  const canBeRule = !grave && prepared.how === 'run'
  const offered = (rules: readonly string[]) => (ruleObjection(rules, verdict) === null ? [...rules] : [])

  return {
    type: 'question',
    kind: 'command',
    ask_id: about.askId,
    requester: by.requester,
    client: by.client,
    request_id: frame.request_id,
    trace_id: frame.trace_id,
    workspace_id: workspace?.id ?? null,
    context: frame.context ?? null,
    plan_hash: plan.hash,
    asked_at: new Date(about.askedAt).toISOString(),
    expires_in_ms: about.patienceMs,
    session_id: run.request.id,
    terminal_id: prepared.terminal.id,
    intent: frame.intent,
    ...(frame.caller_surface && { caller_surface: frame.caller_surface }),
    command: run.request.command,
    args: run.request.args ? [...run.request.args] : null,
    shell: shellOf(deps, prepared, run),
    typed_into_shell: prepared.how === 'send' || (prepared.how === 'permit' && frame.intent === 'execute_command'),
    ...(prepared.how === 'permit' && { editor_terminal: tabOf(prepared.terminal) }),
    cwd: place.cwd,
    workspace_directory: workspace?.directory ?? null,
    // A shell of the person's own takes neither: a request that wants one of them for it was refused.
    env: prepared.how === 'run' || prepared.how === 'permit' ? envOf(run, prepared) : [],
    venv: prepared.how === 'run' ? place.venv : null,
    executables: [plan.executable, ...plan.alsoRuns].map(({ path }) => path),
    found_when_run: [...plan.foundWhenRun],
    stands_for: [...plan.scriptBodies],
    not_shown: (plan.loads ?? []).map(({ name, path, by }) => ({ name, path, by })),
    changed: [...question.changed],
    verdict: explained(verdict),
    reaches: [...verdict.reaches],
    grave,
    proposed_rules: canBeRule ? offered(deps.gate.exactRules(prepared, run, verdict, project)) : [],
    wider_rules: canBeRule ? offered(deps.gate.widerRules(prepared, run, verdict)) : [],
    project,
    kill_after_ms: run.request.killAfterMs,
  }
}

function shellOf({ person }: QuestionDeps, prepared: JudgedRequest, { request }: AskedRun): string {
  if (prepared.how === 'permit') return prepared.terminal.program
  return request.args ? 'none' : shellFor(prepared.terminal.profile, person).program
}

const tabOf = ({ name, editor, opens, directoryKnown }: EditorTab) => ({
  name,
  editor,
  opens,
  directory_known: directoryKnown,
})

const envOf = (run: AskedRun, { terminal }: JudgedRequest): CommandQuestion['env'] => [
  ...Object.entries(run.request.env).map(([name, value]) => ({ name, value })),
  ...Object.entries(terminal.env)
    .filter(([name]) => run.request.env[name] === undefined)
    .map(([name, value]) => ({ name, value, carried: true })),
]
