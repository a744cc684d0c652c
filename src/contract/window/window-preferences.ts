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

/** `<state>/window-preferences.v1.json`. */
export const WindowPreferences = z.object({
  ...choices,
  late_sound: later.late_sound.default(true),
  terminal_font_size: later.terminal_font_size.default(DEFAULT_FONT_SIZE),
})
export type WindowPreferences = Readonly<z.infer<typeof WindowPreferences>>

/** What is to be otherwise. A name that is none of these is refused. */
export const PreferenceChanges = z.strictObject({ ...choices, ...later }).partial()
export type PreferenceChanges = z.infer<typeof PreferenceChanges>
