import { TermError } from '../../contract/tool/errors.ts'
import { answered, type HostPage } from './page.ts'

/** Starts the person's own browser with an address; throws why it cannot. */
export type OpenLink = (url: string) => Promise<void>

/** Links that a person follows out of a terminal. Nothing of ours is in the address: it is what a program printed. */
export const linksPage = (openLink: OpenLink | null): HostPage => ({
  open: window => ({
    dispose() {},
    receive(frame) {
      if (frame.type !== 'link_open') return false
      const act = async (): Promise<void> => {
        if (openLink === null)
          throw new TermError('PM_TERM_GUI_UNAVAILABLE', 'This host has no browser: copy the address.')
        await openLink(frame.url)
      }
      void answered(window, frame.request_id, { act, what: 'It was not opened' })
      return true
    },
  }),
})
