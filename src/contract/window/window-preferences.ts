import * as z from 'zod'

/** How a person likes the window. Kept by the host, because each window has a browser profile of its own that goes with it. */
const choices = {
  /** null: as the system says. */
  theme: z.enum(['light', 'dark']).nullable(),
  sound: z.boolean(),
  /** What the person wishes; whether it may is between them and the browser. null: never said. */
  notifications: z.boolean().nullable(),
}

/** Those that a file of an older version does not have. */
const later = {
  /** A sound when a question is about to expire, whatever `sound` says. */
  late_sound: z.boolean(),
  /** In pixels. */
  terminal_font_size: z.int().min(8).max(32),
}
export const DEFAULT_FONT_SIZE = 13

/** Times in seconds. null: as the settings of the host say. */
const times = {
  /** How long a question waits, unless its request says otherwise. */
  question_wait_s: z.int().min(10).max(86_400).nullable(),
  /** After which the tab of an agent's terminal in which nothing happens closes. 0: never. */
  idle_tabs_s: z.int().min(0).max(86_400).nullable(),
  /** After which a host that an agent started ends when nobody needs it. 0: never. */
  idle_host_s: z.int().min(0).max(86_400).nullable(),
}
export const TIME_CHOICES = Object.keys(times) as (keyof typeof times)[]
export type TimeChoice = keyof typeof times

const TimeInForce = z.object({
  seconds: z.int(),
  /** Without a choice. */
  usual_seconds: z.int(),
  /** The flag or the variable this host was started with, which wins over a choice. */
  fixed_by: z.string().nullable(),
})
export const TimesInForce = z.object({
  question_wait_s: TimeInForce,
  idle_tabs_s: TimeInForce,
  idle_host_s: TimeInForce,
})
export type TimesInForce = z.infer<typeof TimesInForce>

/** `<state>/window-preferences.v1.json`. */
export const WindowPreferences = z.object({
  ...choices,
  late_sound: later.late_sound.default(true),
  terminal_font_size: later.terminal_font_size.default(DEFAULT_FONT_SIZE),
  question_wait_s: times.question_wait_s.default(null),
  idle_tabs_s: times.idle_tabs_s.default(null),
  idle_host_s: times.idle_host_s.default(null),
})
export type WindowPreferences = Readonly<z.infer<typeof WindowPreferences>>

/** What is to be otherwise. A name that is none of these is refused. */
export const PreferenceChanges = z.strictObject({ ...choices, ...later, ...times }).partial()
export type PreferenceChanges = z.infer<typeof PreferenceChanges>
