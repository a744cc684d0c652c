// Build time only: runs the product as the launcher does and saves what V8 had compiled of each part when its work was done once.
// What comes later is left out on purpose: every start reads the whole of a cache, and a client waits.
const { readFileSync, writeFileSync } = require('node:fs')
const { createRequire, wrap } = require('node:module')
const { basename, dirname, join } = require('node:path')
const { Script } = require('node:vm')

/** Which part is warm, by what is in an answer. */
const WARM_BY = {
  'app.cjs': '"tools":[{',
  'engine.cjs': '"success":true',
  'sdk-conversation.cjs': '"supportedVersions"',
}

const [, , dist, ...parts] = process.argv
const loaded = new Map()
const usual = createRequire(join(dist, 'app.cjs'))

function requirePart(name) {
  if (!loaded.has(name)) {
    if (!name.startsWith('./') || !(basename(name) in WARM_BY)) return usual(name)
    load(name)
  }
  return loaded.get(name).part.exports
}

function load(name) {
  const filename = join(dist, name)
  const part = { exports: {} }
  // Without the folder it was built in: that would be in the cache, and in the package.
  const called = `interactive-terminal/${basename(name)}`
  const script = new Script(wrap(readFileSync(filename, 'latin1')), { filename: called })
  loaded.set(name, { part, script })
  script.runInThisContext().call(part.exports, part.exports, requirePart, part, filename, dirname(filename))
}

const write = process.stdout.write.bind(process.stdout)
process.stdout.write = (chunk, ...rest) => {
  for (const name of parts)
    if (String(chunk).includes(WARM_BY[name])) {
      const { script } = loaded.get(`./${name}`)
      writeFileSync(join(dist, name.replace(/cjs$/, 'cache')), script.createCachedData())
    }
  return write(chunk, ...rest)
}
process.argv.splice(2, process.argv.length, 'mcp')
load('./app.cjs')
