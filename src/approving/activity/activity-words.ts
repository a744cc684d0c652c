import type { ActivityItem } from '../../contract/window/activity-frames.ts'

/** A part of the page, and what is in it. */
export interface ActivityGroup {
  readonly kind: ActivityItem['kind']
  readonly title: string
  /** What that means, for who sees it first. */
  readonly note: string
  readonly items: readonly ActivityItem[]
}

/** What needs a look first. */
const GROUPS: readonly Omit<ActivityGroup, 'items'>[] = [
  { kind: 'blocked', title: 'Refused without asking you', note: 'Nothing of it ran.' },
  { kind: 'expired', title: 'Expired while you were away', note: 'Nobody answered in time, so nothing of it ran.' },
  { kind: 'withdrawn', title: 'Taken back before you answered', note: 'Nothing of it ran.' },
  { kind: 'by_rule', title: 'Ran in a terminal by a rule', note: 'A rule of yours or of the product covers it.' },
  {
    kind: 'headless',
    title: 'Ran headless by a rule',
    note: 'Without a terminal; a rule of yours or of the product covers it.',
  },
]

/** Grouped by what happened; in each group the newest first. */
export const activityGroups = (items: readonly ActivityItem[]): readonly ActivityGroup[] =>
  GROUPS.map(group => ({ ...group, items: items.filter(({ kind }) => kind === group.kind) })).filter(
    ({ items: each }) => each.length > 0,
  )

const TAKEN_BACK: Readonly<Record<string, string>> = {
  cancelled: 'the agent took it back',
  asker_gone: 'the agent is gone',
  host_ends: 'the host ended',
  person: 'you closed its terminal',
}

/** How it went, behind who asked. Words of others are in it: whoever shows it draws it. */
export function activityRemark({ kind, why, exit_code, times }: ActivityItem): string {
  const often = times > 1 ? [`${times} times`] : []
  switch (kind) {
    case 'blocked':
      return [...often, ...(why === null ? [] : [why])].join(' · ')
    case 'expired':
      return often.join(' · ')
    case 'withdrawn':
      return [...often, TAKEN_BACK[why ?? ''] ?? why ?? 'taken back'].join(' · ')
    case 'by_rule':
    case 'headless':
      return [
        ...often,
        ...(exit_code === null || exit_code === 0 ? [] : [`exit code ${exit_code}`]),
        ...(why === null ? [] : [`rule ${why}`]),
      ].join(' · ')
  }
}
