import * as z from 'zod'

/** How a person likes the window. Kept by the host, because each window has a browser profile of its own that goes with it. */
const choices = {
  /** null: as the system says. */
  theme: z.enum(['light', 'dark']).nullable(),
  sound: z.boolean(),
  /** What the person wishes; whether it may is between them and the browser. null: never said. */
  notifications: z.boolean().nullable(),
}

/** `<state>/window-preferences.v1.json`. */
export const WindowPreferences = z.object(choices)
export type WindowPreferences = Readonly<z.infer<typeof WindowPreferences>>

/** What is to be otherwise. A name that is none of these is refused. */
export const PreferenceChanges = z.strictObject(choices).partial()
export type PreferenceChanges = z.infer<typeof PreferenceChanges>
