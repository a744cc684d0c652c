import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { build } from '../../scripts/build.mjs'
import { hasPodman, openPodman, preparePodman } from './engine.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the engine keeps its images; null: there is no engine here. */
    engineDirectory: string | null
  }
}

/** The product and the image, once for all tests of this network. */
export default async function setup({ provide }: TestProject): Promise<() => void> {
  if (process.env.IT_BUILT === undefined) await build({ quiet: true })
  const directory = mkdtempSync(join(tmpdir(), 'it-engine-'))
  if (hasPodman) preparePodman(directory)
  provide('engineDirectory', hasPodman ? directory : null)
  return () => {
    if (hasPodman) openPodman(directory).end()
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
  }
}
