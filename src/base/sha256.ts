import { hash } from 'node:crypto'

/** Of a short text, in hex, without an object for it: a run needs five of them. */
export const sha256Of = (text: string): string => hash('sha256', text, 'hex')
