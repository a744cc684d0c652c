import { type Kind, whole } from './setting-kinds.ts'

/** A row of the table in env.ts. */
export interface SettingRow {
  readonly kind: Kind<string | number | boolean>
  readonly default: string | number | boolean
  readonly aliases?: readonly string[]
  /** An older name that wins even over the flag, as it always did. */
  readonly strongest?: string
  /** Needed to find settings.json, so it cannot be in it. */
  readonly notInFile?: true
  /** It names a program that is started: from settings.json it counts only after a person agreed to it (docs/spec.md D26). */
  readonly program?: true
  readonly sentence: string
}

/** The settings that say how much is kept, and for how long. */
export const KEEPING = {
  PM_TERM_OUTPUT_QUOTA_MB: {
    kind: whole(1, 1_048_576),
    default: 256,
    sentence: 'Output kept of one command. Beyond it the head and the tail stay and the gap is counted.',
  },
  PM_TERM_OUTPUT_TOTAL_MB: {
    kind: whole(1, 1_048_576),
    default: 2048,
    sentence:
      'Output kept of all finished commands together, the oldest go first; and of all that run in terminals, where the largest loses its middle.',
  },
  PM_TERM_RETENTION_DAYS: {
    kind: whole(1, 3650),
    default: 7,
    sentence: 'How long finished commands stay readable.',
  },
  PM_TERM_IDLE_TABS: {
    kind: whole(0, 86_400),
    default: 600,
    sentence:
      'Seconds without a command after which the tab of an agent’s terminal closes; one that was opened because another was busy closes after 30. It comes back as it was when it is used again. 0: none closes by itself.',
  },
  PM_TERM_JOURNAL_DAYS: {
    kind: whole(7, 3650),
    default: 90,
    sentence: 'How long rows of the journal are kept. What is still needed stays, and a row says what went.',
  },
  PM_TERM_JOURNAL_MB: {
    kind: whole(16, 1_048_576),
    default: 200,
    sentence: 'How large the journal may be. Beyond it the oldest rows go sooner, though none of the last day.',
  },
  PM_TERM_HOST_LOG_MB: {
    kind: whole(1, 1024),
    default: 5,
    sentence: 'How large host.log may grow before it becomes host.log.1 and a new one begins.',
  },
  PM_TERM_HOST_LOG_FILES: {
    kind: whole(1, 100),
    default: 3,
    sentence: 'How many of them are kept, host.log included.',
  },
} as const satisfies Record<string, SettingRow>
