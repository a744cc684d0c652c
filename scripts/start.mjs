#!/usr/bin/env node
// `npm start`: builds if something changed, and says so; then it is the product itself, in this very process.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { freshness } from './freshness.mjs'

const root = join(import.meta.dirname, '..')
const state = freshness(root)
if (state !== 'fresh') {
  const why = state === 'first' ? 'Building the first time' : 'Something changed, building again'
  // Not on stdout: what a command answers there may be read by a program.
  process.stderr.write(`${why}, about 6 s …\n`)
  const began = performance.now()
  const { build } = await import('./build.mjs')
  await build({ quiet: true })
  process.stderr.write(`Built in ${((performance.now() - began) / 1000).toFixed(1)} s.\n`)
}
const product = join(root, 'dist/interactive-terminal.cjs')
process.argv[1] = product
createRequire(import.meta.url)(product)
