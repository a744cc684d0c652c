import * as z from 'zod'
import { Text } from '../field.ts'
import { addressed } from './addressed.ts'

/** About where the window is shown. Everybody may ask for it to be shown; only an admitted approver says where. */
export const ShowWindow = z.object({ type: z.literal('show_window'), ...addressed })
export const WindowShown = z.object({
  type: z.literal('window_shown'),
  ...addressed,
  shown: z.boolean(),
  message: z.string(),
  /** no_screen: the host knows of none. Whoever is at one hands it over as an approver (`use_screen`). */
  reason: z.enum(['no_screen']).optional(),
})

/** Where the window is to be shown: variables of the terminal this approver sits at. Answered with `screen_used`. */
export const UseScreen = z.object({
  type: z.literal('use_screen'),
  env: z
    .record(z.string().regex(/^(DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_[A-Z_]{1,64}|DBUS_SESSION_BUS_ADDRESS)$/), Text)
    .refine(env => Object.keys(env).length <= 64, 'must have at most 64 entries'),
})
export const ScreenUsed = z.object({ type: z.literal('screen_used'), shown: z.boolean(), message: z.string() })

// The panel of an editor: an approver (surface `vscode`) whose connection the editor's extension holds, with a page that comes and goes.

/**
 * The page begins: it is sent all that a window is sent at admission, `admitted` first. From now on the frames of
 * contract/window/window-frames.ts go both ways, too. Sent again, it begins anew.
 */
export const PageOpened = z.object({ type: z.literal('page_opened') })
/** The page is gone; the approver stays, and still hears of questions. */
export const PageClosed = z.object({ type: z.literal('page_closed') })

export const OF_PANEL = [PageOpened, PageClosed] as const
