#!/usr/bin/env node
// Before anything else: with a debugger whoever attaches says yes for the person. Node opens one at this signal unless somebody
// listens to it, and the line below is the first moment at which we can.
process.on('SIGUSR1', () => {})
// Starts app.cjs with the code V8 compiled at build time. Another Node version ignores that cache and compiles anew.
const { existsSync, readFileSync } = require('node:fs')
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

// The process that owns terminals stays small: it loads nothing of the rest.
const filename = join(__dirname, process.argv[2] === 'pty-host' ? 'pty-host.cjs' : 'app.cjs')
const cache = filename.replace(/cjs$/, 'cache')
const script = new Script(wrap(readFileSync(filename, 'utf8')), {
  filename,
  cachedData: existsSync(cache) ? readFileSync(cache) : undefined,
})
const module_ = { exports: {} }
script.runInThisContext().call(module_.exports, module_.exports, require, module_, filename, __dirname)
