// Build time only: runs app.cjs as the launcher does and saves what V8 had compiled when the tools were listed. What comes
// later is left out on purpose: every start reads the whole cache, and a client waits for the list only.
const { readFileSync, writeFileSync } = require('node:fs')
const { createRequire, wrap } = require('node:module')
const { dirname } = require('node:path')
const { Script } = require('node:vm')

const [, , filename, cache] = process.argv
const script = new Script(wrap(readFileSync(filename, 'utf8')), { filename })
const write = process.stdout.write.bind(process.stdout)
process.stdout.write = (chunk, ...rest) => {
  if (String(chunk).includes('"tools":[{')) writeFileSync(cache, script.createCachedData())
  return write(chunk, ...rest)
}
process.argv.splice(2, 2, 'mcp')
const module_ = { exports: {} }
script
  .runInThisContext()
  .call(module_.exports, module_.exports, createRequire(filename), module_, filename, dirname(filename))
