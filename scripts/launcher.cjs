#!/usr/bin/env node
// Before anything else: with a debugger whoever attaches says yes for the person. Node opens one at this signal unless somebody
// listens to it, and the line below is the first moment at which we can.
process.on('SIGUSR1', () => {})
// Starts app.cjs with the code V8 compiled at build time. Another Node version ignores that cache and compiles anew.
const { readFileSync } = require('node:fs')
const { wrap } = require('node:module')
const { join } = require('node:path')
const { Script } = require('node:vm')

/** One that was opened by an option, by NODE_OPTIONS, or by a signal before the line above: nothing of ours runs beside it. */
function refuseDebugger() {
  if (!process.features.inspector || require('node:inspector').url() === undefined) return
  process.stderr.write(
    'A debugger is open in this process, and whoever attaches to it can approve for you. Nothing was started. Start it without --inspect, also in NODE_OPTIONS.\n',
  )
  process.exit(2)
}
// A client waits for "mcp": there it is looked for a moment later.
if (process.argv[2] !== 'mcp') refuseDebugger()
setImmediate(refuseDebugger)
setTimeout(refuseDebugger, 250).unref()

/** Parts that were loaded with what V8 compiled of them at build time, by name. */
const loaded = new Map()

/** A part of ours with such a cache beside it; anything else as usual. */
function requirePart(name) {
  const filename = join(__dirname, name)
  const cache = name.startsWith('./') && loaded.get(name) === undefined ? cacheOf(filename) : undefined
  if (cache !== undefined) load(name, filename, cache)
  return loaded.get(name)?.exports ?? require(name)
}

function cacheOf(filename) {
  try {
    return readFileSync(filename.replace(/cjs$/, 'cache'))
  } catch {
    return undefined // none was made: it is compiled anew
  }
}

function load(name, filename, cachedData) {
  const part = { exports: {} }
  loaded.set(name, part)
  // The build writes ASCII only.
  // With a cache it is called what the cache calls it.
  const called = cachedData === undefined ? filename : `interactive-terminal/${name.slice(2)}`
  const script = new Script(wrap(readFileSync(filename, 'latin1')), { filename: called, cachedData })
  script.runInThisContext().call(part.exports, part.exports, requirePart, part, filename, __dirname)
}

// Processes that the host starts for itself stay small: they load nothing of the rest.
const OWN = { 'pty-host': './pty-host.cjs', preview: './preview.cjs' }
const main = Object.hasOwn(OWN, process.argv[2] ?? '') ? OWN[process.argv[2]] : './app.cjs'
const filename = join(__dirname, main)
load(main, filename, cacheOf(filename))
