import type { PreviewItem } from '../../contract/preview/preview-frames.ts'

const LONGEST = 300

/** Names of the disk may be long; the beginning is enough to know them by. */
export const shortName = (text: string): string => (text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`)

export const unknown = (what: string, why: string): PreviewItem => ({
  about: 'unknown',
  what: shortName(what),
  why: shortName(why),
})
