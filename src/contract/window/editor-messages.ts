import * as z from 'zod'

/**
 * What the page in an editor's panel and the editor's extension say to each other. They belong together and are of one build. The
 * frames in them are those of window-frames.ts: the extension hands them on and reads none but to count what waits.
 */

const Frame = z.looseObject({ type: z.string() })
const LONGEST_FILE = 64 * 1024 * 1024

/** What the person may ask of the editor. None of it decides about a command. */
const PanelAction = z.enum(['code', 'look', 'start_host', 'type_here_command', 'settings'])
export type PanelAction = z.infer<typeof PanelAction>

export const FromPanelPage = z.discriminatedUnion('type', [
  /** It listens from now on, and knows nothing yet. */
  z.strictObject({ type: z.literal('ready') }),
  z.strictObject({ type: z.literal('frame'), frame: Frame }),
  z.strictObject({ type: z.literal('action'), action: PanelAction }),
  /** A link that the person followed. */
  z.strictObject({ type: z.literal('open_link'), url: z.string().max(8192) }),
  /** What the person wants to keep. */
  z.strictObject({ type: z.literal('save'), name: z.string().max(255), text: z.string().max(LONGEST_FILE) }),
])
export type FromPanelPage = z.infer<typeof FromPanelPage>

/** How far the editor is with its host. */
export type EditorLink =
  | { readonly at: 'looking' }
  /** `why`: the product cannot be found or asked; null: no host runs just now. */
  | { readonly at: 'no_host'; readonly why: string | null }
  /** In a container no host starts by itself (docs/spec.md D25). `command`: what a person types there to start one. */
  | { readonly at: 'no_host_in_container'; readonly command: string }
  | { readonly at: 'other_version'; readonly host: string; readonly extension: string }
  /** A host is there, and this editor has yet to be admitted. `problem`: what came of the last try. */
  | { readonly at: 'not_admitted'; readonly problem: string | null }
  /** The person is being asked in the editor. */
  | { readonly at: 'asking' }
  | { readonly at: 'admitted' }

/** Where commands of this host run. */
export interface PanelMachine {
  readonly name: string
  /** What the editor calls its way there (`ssh-remote`, `dev-container`, …); null: the editor's own machine. */
  readonly remote: string | null
}

export type ToPanelPage =
  | { readonly type: 'link'; readonly link: EditorLink; readonly machine: PanelMachine }
  /** Whether the panel is the one that is in front, as the editor says. */
  | { readonly type: 'sight'; readonly visible: boolean }
  | { readonly type: 'frame'; readonly frame: { readonly type: string } }
