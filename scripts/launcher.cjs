#!/usr/bin/env node
// Starts app.cjs with the code V8 compiled at build time. Another Node version ignores that cache and compiles anew.
const { existsSync, readFileSync } = require('node:fs')
const { wrap } = require('node:module')
const { join } = require('node:path')
const { Script } = require('node:vm')

// The process that owns terminals stays small: it loads nothing of the rest.
const filename = join(__dirname, process.argv[2] === 'pty-host' ? 'pty-host.cjs' : 'app.cjs')
const cache = filename.replace(/cjs$/, 'cache')
const script = new Script(wrap(readFileSync(filename, 'utf8')), {
  filename,
  cachedData: existsSync(cache) ? readFileSync(cache) : undefined,
})
const module_ = { exports: {} }
script.runInThisContext().call(module_.exports, module_.exports, require, module_, filename, __dirname)
