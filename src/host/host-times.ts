import type { Disposable } from '../base/disposable.ts'
import type { Configuration } from '../config/settings.ts'
import {
  TIME_CHOICES,
  type TimeChoice,
  type TimesInForce,
  type WindowPreferences,
} from '../contract/window/window-preferences.ts'

interface Chosen {
  readonly now: Pick<WindowPreferences, TimeChoice>
  watch(changed: () => void): Disposable
}

/** Which setting each one is chosen in place of, and how many milliseconds its unit has. */
const SETTING_OF = {
  question_wait_s: { name: 'PM_TERM_APPROVAL_TIMEOUT_MS', unitMs: 1 },
  idle_tabs_s: { name: 'PM_TERM_IDLE_TABS', unitMs: 1000 },
  idle_host_s: { name: 'PM_TERM_IDLE_TIMEOUT', unitMs: 1000 },
} as const

/**
 * The times a person chooses in the window, as they are in force: a flag or the environment of this host wins, then the choice, then the
 * settings file and the default. They are asked for each time, so that a choice counts for the next question and at once for the rest.
 */
export class HostTimes {
  readonly #configuration: Pick<Configuration, 'settings' | 'sources'>
  readonly #chosen: Chosen

  constructor(configuration: Pick<Configuration, 'settings' | 'sources'>, chosen: Chosen) {
    this.#configuration = configuration
    this.#chosen = chosen
  }

  /** How long a question waits, unless its request says otherwise. */
  get patienceMs(): number {
    return this.#ms('question_wait_s')
  }

  /** 0: no tab closes by itself. */
  get idleTabsMs(): number {
    return this.#ms('idle_tabs_s')
  }

  /** 0: the host does not end by itself. */
  get idleHostMs(): number {
    return this.#ms('idle_host_s')
  }

  /** Called when the person has chosen something. */
  watch(changed: () => void): Disposable {
    return this.#chosen.watch(changed)
  }

  inForce(): TimesInForce {
    const one = (choice: TimeChoice) => ({
      seconds: Math.round(this.#ms(choice) / 1000),
      usual_seconds: Math.round(this.#usualMs(choice) / 1000),
      fixed_by: this.#fixedBy(choice),
    })
    return Object.fromEntries(TIME_CHOICES.map(choice => [choice, one(choice)])) as TimesInForce
  }

  #ms(choice: TimeChoice): number {
    const chosen = this.#chosen.now[choice]
    return chosen === null || this.#fixedBy(choice) !== null ? this.#usualMs(choice) : chosen * 1000
  }

  /** Without a choice. */
  #usualMs(choice: TimeChoice): number {
    const { name, unitMs } = SETTING_OF[choice]
    return this.#configuration.settings[name] * unitMs
  }

  #fixedBy(choice: TimeChoice): string | null {
    const source = this.#configuration.sources[SETTING_OF[choice].name]
    return source.kind === 'flag' || source.kind === 'environment' ? source.name : null
  }
}
