import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { buildTestProduct } from '../../scripts/test-product.mjs'
import { type EngineKind, engineHere, openEngine, prepareEngine } from './engine.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    engine: { kind: EngineKind; directory: string }
  }
}

/** The product and the image, once for all tests of this network. */
export default async function setup({ provide }: TestProject): Promise<() => void> {
  if (process.env.IT_BUILT === undefined) await buildTestProduct()
  const engine = { kind: engineHere(), directory: mkdtempSync(join(tmpdir(), 'it-engine-')) }
  prepareEngine(engine)
  const opened = openEngine(engine)
  process.stdout.write(`containers are ${opened.name}\n`)
  provide('engine', engine)
  return () => {
    opened.end()
    rmSync(engine.directory, { recursive: true, force: true, maxRetries: 5 })
  }
}
