import { existsSync } from 'node:fs'

/** The system's own (.ci/apt.txt). Where it is missing the tests that need it are skipped, which CI does not allow. */
export const CHROMIUM = '/usr/bin/chromium'
export const hasChromium = existsSync(CHROMIUM)
