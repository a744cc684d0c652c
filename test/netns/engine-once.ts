import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { buildTestProduct } from '../../scripts/test-product.mjs'
import { type EnginePlace, engineHere, makeImage, openEngine, prepareEngine } from './engine.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    engine: EnginePlace
  }
}

/** The product and the image, once for all tests of this network. */
export default async function setup({ provide }: TestProject): Promise<() => void> {
  if (process.env.IT_BUILT === undefined) await buildTestProduct()
  const directory = mkdtempSync(join(tmpdir(), 'it-engine-'))
  const engine = { kind: engineHere(), directory, made: process.env.IT_IMAGE_MADE ?? directory }
  if (engine.made === directory) makeImage(engine.kind, directory)
  prepareEngine(engine)
  const opened = openEngine(engine)
  process.stdout.write(`containers are ${opened.name}\n`)
  provide('engine', engine)
  return () => {
    opened.end()
    rmSync(engine.directory, { recursive: true, force: true, maxRetries: 5 })
  }
}
