import { existsSync } from 'node:fs'

const SHELLS = ['/bin/bash', '/bin/sh']

/** The shell that opens what bubblewrap reads; the first can close what it inherited, whatever its number. */
export const starterShell = (): string => SHELLS.find(each => existsSync(each)) ?? '/bin/sh'
