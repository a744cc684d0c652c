// Build time only: runs app.cjs as the launcher does and saves what V8 compiled when it ends.
const { readFileSync, writeFileSync } = require('node:fs')
const { wrap } = require('node:module')
const { dirname } = require('node:path')
const { Script } = require('node:vm')

const [, , filename, cache] = process.argv
const script = new Script(wrap(readFileSync(filename, 'utf8')), { filename })
process.on('exit', () => writeFileSync(cache, script.createCachedData()))
process.argv.splice(2, 2, 'mcp')
const module_ = { exports: {} }
script.runInThisContext().call(module_.exports, module_.exports, require, module_, filename, dirname(filename))
