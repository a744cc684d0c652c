#!/usr/bin/env node
// Starts app.cjs with the code V8 compiled at build time. Another Node version ignores that cache and compiles anew.
const { existsSync, readFileSync } = require('node:fs')
const { wrap } = require('node:module')
const { join } = require('node:path')
const { Script } = require('node:vm')

const filename = join(__dirname, 'app.cjs')
const cache = join(__dirname, 'app.cache')
const script = new Script(wrap(readFileSync(filename, 'utf8')), {
  filename,
  cachedData: existsSync(cache) ? readFileSync(cache) : undefined,
})
const module_ = { exports: {} }
script.runInThisContext().call(module_.exports, module_.exports, require, module_, filename, __dirname)
