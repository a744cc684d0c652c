import { processTable } from '../base/process/process-table.ts'
import type { ClientSessions } from './clients/sessions.ts'
import { type RepeatedLine, ruleFor } from './gate/rule-for.ts'
import type { HostDeps } from './host.ts'
import type { HostCommands } from './open-commands.ts'
import { type ActivityDeps, ASKED_AGAIN, activityPage } from './pages/activity.ts'
import { approvalsPage } from './pages/approvals.ts'
import { historyPage } from './pages/history.ts'
import type { AskHost } from './pages/history-run.ts'
import { linksPage } from './pages/links.ts'
import type { HostPage } from './pages/page.ts'
import { PastAnswers } from './pages/past-answers.ts'
import { rulesPage } from './pages/rules.ts'
import { savedPage } from './pages/saved.ts'
import { SavedCommandsFiles } from './pages/saved-commands-files.ts'
import { statusPage } from './pages/status.ts'

interface PageParts extends HostCommands {
  readonly sessions: ClientSessions
}

/** What the host does for the pages of the window. `ask`: what a person asks for there takes the way of every request. */
export function openPages(deps: HostDeps, parts: PageParts, ask: AskHost): readonly HostPage[] {
  const { clock, version, world, configuration } = deps
  const ruling = { ...parts, world, autoApprove: configuration.settings.PM_TERM_AUTO_APPROVE }
  return [
    approvalsPage(parts),
    statusPage(parts.journal, parts.sessions),
    activityPage(activityDeps(deps, parts, ask)),
    historyPage({ ...parts, clock, version, ask }),
    savedPage(savedDeps(deps, parts)),
    linksPage(deps.here ? null : (deps.window?.openLink ?? null)),
    rulesPage({ ...ruling, past: new PastAnswers({ ...ruling, clock }) }),
  ]
}

/** What the page Activity needs of the host. */
function activityDeps(deps: HostDeps, parts: PageParts, ask: AskHost): ActivityDeps {
  const { clock, ids, world } = deps
  const { settings } = deps.configuration
  const { runs, lane, sessions, ruleFiles } = parts

  return {
    clock,
    ids,
    runs,
    lane,
    sessions,
    table: processTable(process.platform),
    rules: parts,
    ruleFor: (line: RepeatedLine) => ruleFor(line, { world, settings, ruleFiles }),
    ask: ({ command, args, cwd }: RepeatedLine) =>
      ask('Ask again', {
        command,
        ...(args && { args: [...args] }),
        working_directory: cwd,
        context: ASKED_AGAIN,
        approval_required: true,
      }),
  }
}

function savedDeps({ ids, clock, configuration: { paths } }: HostDeps, parts: PageParts) {
  const files = new SavedCommandsFiles({ dataDir: paths.dataDir, now: clock.now, makeId: () => ids.make('saved') })
  return {
    files,
    rules: parts,
    desk: parts.desk,
    ids,
  }
}
