import type { DayNumbers } from '../contract/window/status-frames.ts'

export interface NumberRow {
  readonly name: string
  readonly value: string
  /** What it means, where the number alone does not say it. */
  readonly note: string | null
}

/** The person's numbers of a day, in words. */
export function numberRows(numbers: DayNumbers): NumberRow[] {
  const { asked, approved, declined, median_ms, under_a_second, by_rule, refused, is_part } = numbers
  const all = by_rule + asked
  return [
    {
      name: 'Questions',
      value: `${asked}${is_part ? ' at least' : ''}`,
      note: `${approved} approved, ${declined} declined`,
    },
    {
      name: 'Time to decide',
      value: median_ms === null ? '–' : secondsOf(median_ms),
      note: median_ms === null ? null : 'in the median',
    },
    {
      name: 'Approved within a second',
      value: String(under_a_second),
      note: under_a_second > 0 ? 'too fast to have been read: a rule would ask you less' : null,
    },
    {
      name: 'Ran by a rule',
      value: all === 0 ? '–' : `${Math.round((100 * by_rule) / all)} %`,
      note: `${by_rule} of ${all} in terminals`,
    },
    { name: 'Refused unasked', value: String(refused), note: refused > 0 ? 'they would have wiped something' : null },
  ]
}

const secondsOf = (ms: number): string => `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`
