import * as z from 'zod'

// The panel of an editor: an approver (surface `vscode`) whose connection the editor's extension holds, with a page that comes and goes.

/**
 * The page begins: it is sent all that a window is sent at admission, `admitted` first. From now on the frames of
 * contract/window/window-frames.ts go both ways, too. Sent again, it begins anew.
 */
export const PageOpened = z.object({ type: z.literal('page_opened') })
/** The page is gone; the approver stays, and still hears of questions. */
export const PageClosed = z.object({ type: z.literal('page_closed') })

export const OF_PANEL = [PageOpened, PageClosed] as const
