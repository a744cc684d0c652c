// The project of the working day: a small shop in git. Its scripts write down what really happened (who ran where, and how it
// ended) below `facts`, so that what a model was told can be held against it.
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const FLOOD_BYTES = 5 * 1024 * 1024

export function makeProject(place) {
  const dir = join(place, 'shop')
  const facts = join(place, 'facts')
  mkdirSync(join(dir, 'src'), { recursive: true })
  mkdirSync(join(dir, 'vendor/left'), { recursive: true })
  mkdirSync(facts)
  const write = (file, text) => writeFileSync(join(dir, file), text)
  const note = `const { writeFileSync } = require('node:fs')
const note = (name, more) => writeFileSync(${JSON.stringify(facts)} + '/' + name + '.json',
  JSON.stringify({ pid: process.pid, cwd: process.cwd(), args: process.argv.slice(2), ...more }))
`
  const script = (name, text) => write(`${name}.cjs`, note + text)
  script('test', `note('test', { exit: 1 })\nconsole.log('2 passed, 1 failed: cart is empty')\nprocess.exitCode = 1\n`)
  script('build', `note('build', { exit: 0 })\nwriteFileSync('shop.out', 'built')\nconsole.log('built shop.out')\n`)
  script('deploy', `note('deploy', { exit: 0 })\nconsole.log('deployed', ...process.argv.slice(2))\n`)
  script('fail', `note('fail', { exit: 3 })\nconsole.error('no such customer')\nprocess.exitCode = 3\n`)
  script('note', `note(process.argv[2], { exit: 0 })\nconsole.log('noted', process.argv[2])\n`)
  script(
    'flood',
    `const line = n => String(n).padStart(7, '0') + ' the quick brown fox jumps over the lazy dog, again and again and again\\n'
let text = ''
for (let n = 0; text.length < ${FLOOD_BYTES}; n++) text += line(n)
text += 'THE LAST LINE\\n'
note('flood', { exit: 0, bytes: text.length })
process.stdout.write(text)
`,
  )
  script(
    'long',
    `const [name, seconds = '6'] = process.argv.slice(2)
note(name + '-began', {})
console.log(name, 'began')
setTimeout(() => { note(name, { exit: 0 }); console.log(name, 'is over') }, Number(seconds) * 1000)
`,
  )
  write('README.md', '# Shop\n\nSells hats. Ask Ann about the red ones.\n')
  write('src/app.js', '// TODO: a second till\nexport const hats = 3\n')
  write('src/cart.js', 'export const cart = []\n')
  write('a.txt', 'first\n')
  write('b.txt', 'second\n')
  write('vendor/left/package.json', JSON.stringify({ name: 'left', version: '1.0.0' }))
  const scripts = {
    test: 'node test.cjs',
    deploy: 'node deploy.cjs',
    flood: 'node flood.cjs',
    long: 'node long.cjs',
  }
  write('package.json', `${JSON.stringify({ name: 'shop', version: '1.0.0', private: true, scripts }, null, 2)}\n`)
  const who = ['-c', 'user.name=Ann', '-c', 'user.email=ann@shop.invalid', '-c', 'init.defaultBranch=main']
  const git = (...words) => execFileSync('git', [...who, ...words], { cwd: dir, stdio: 'ignore' })
  git('init', '-q')
  git('add', '.')
  for (const what of ['the shop opens', 'hats', 'the red hats are Ann’s'])
    git('commit', '-q', '--allow-empty', '-m', what)
  chmodSync(dir, 0o755)
  return { dir, facts: factsIn(facts) }
}

function factsIn(dir) {
  const file = name => join(dir, `${name}.json`)
  return {
    /** What the script noted, or null: it did not run. */
    of: name => (existsSync(file(name)) ? JSON.parse(readFileSync(file(name), 'utf8')) : null),
    forget: name => rmSync(file(name), { force: true }),
  }
}
