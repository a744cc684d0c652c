import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadTestPart } from './load-test-part.mjs'
import { optionsIn, smellOf } from './options-in-help.mjs'
import { HELP_ROWS, NPM_PACKAGES, PIP_PACKAGES } from './tools-with-help.mjs'

/**
 * What the option models may have missed: `npm run options [-- tool …]`.
 *
 *   help texts → options → those that smell of running, loading or writing → judged under an open rule → a table to review
 *
 * Tools come from this machine and, with pinned versions and without their install scripts, from the registries, into a
 * temporary directory. What somebody has looked at stands in test/data/reviewed-options.txt with a reason and is not printed
 * again. Ends with 1 when there is something new. `OPTION_TOOLS=<dir>` uses a directory filled before.
 */
const only = process.argv.slice(2)
const root = fileURLToPath(new URL('..', import.meta.url))
const INSTALL_MS = 10 * 60_000
const HELP_MS = 30_000
const MOST_TEXT = 2 * 1024 * 1024

const given = process.env.OPTION_TOOLS
const home = given ?? mkdtempSync(join(tmpdir(), 'option-gaps-'))
const cleanUp = () => given === undefined && rmSync(home, { recursive: true, force: true })
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    cleanUp()
    process.exit(1)
  })

try {
  if (given === undefined) await installAll()
  process.exitCode = (await report()) === 0 ? 0 : 1
} finally {
  cleanUp()
}

async function installAll() {
  writeFileSync(join(home, 'package.json'), '{"private":true}')
  const npm = ['install', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund', '--no-package-lock']
  await run('npm', [...npm, ...wanted(NPM_PACKAGES)], INSTALL_MS)
  for (const item of wanted(PIP_PACKAGES))
    await run('python3', ['-m', 'pip', 'install', '-q', '--only-binary=:all:', '--target', 'py', item], INSTALL_MS / 5)
}

/** Packages with their versions; with tools named, only those that bring them. */
function wanted(packages) {
  return packages.filter(({ brings }) => only.length === 0 || brings.some(tool => only.includes(tool))).map(p => p.item)
}

async function report() {
  const { evaluate } = await loadTestPart('src/policy/judge/evaluate.ts')
  const reviewed = readReviewed()
  const counts = { tools: 0, options: 0, smelling: 0, covered: 0 }
  const found = []
  const silent = []
  for (const { words, ask } of HELP_ROWS) {
    const tool = words.join(' ')
    if (only.length > 0 && !only.includes(words[0]) && !only.includes(tool)) continue
    const options = optionsIn(await run(ask[0], ask.slice(1), HELP_MS))
    if (options.length === 0) {
      silent.push(tool)
      continue
    }
    counts.tools += 1
    for (const option of options) {
      counts.options += 1
      const smell = smellOf(option)
      if (smell === null) continue
      counts.smelling += 1
      const free = formsOf(option).filter(form => isAuto(evaluate, tool, form))
      if (free.length === 0) continue
      counts.covered += 1
      if (!reviewed.get(tool)?.has(option.name)) found.push({ tool, form: free[0], smell, told: option.told })
    }
  }
  for (const { tool, form, smell, told } of found)
    console.log([tool, form, smell, told.slice(0, 110)].map(cell => cell.padEnd(12)).join('\t'))
  if (silent.length > 0) console.error(`no help text here: ${silent.join(', ')}`)
  console.error(
    `${counts.tools} help texts, ${counts.options} options, ${counts.smelling} smell of running, loading or writing, ` +
      `${counts.covered} of those run unasked under an open rule, ${found.length} of them nobody has reviewed`,
  )
  return found.length
}

/** An option with a value in each spelling: glued, apart, from elsewhere. */
function formsOf({ name, value }) {
  const glued = name.startsWith('--') ? ['=x.js', '=/tmp/x.js'] : name.length === 2 ? ['x.js', '/tmp/x.js'] : []
  const withValue = [...glued, ' x.js'].map(text => `${name}${text}`)
  if (value === 'none') return [name]
  return value === 'always' ? withValue : [name, ...withValue]
}

function isAuto(evaluate, tool, form) {
  const line = { id: form, command: `${tool} ${form}`, lane: 'interactive', shell: 'bash' }
  return [`${tool} *`, `${tool.split(' ')[0]} *`].some(
    rule => evaluate({ ...line, allowlist: [rule] }).verdict === 'auto',
  )
}

function readReviewed() {
  const rows = readFileSync(join(root, 'test/data/reviewed-options.txt'), 'utf8').split('\n')
  const reviewed = new Map()
  for (const row of rows) {
    const [, tool, options] = /^(?!#)(.+?): (.+?) — ./.exec(row) ?? []
    if (tool) reviewed.set(tool, new Set([...(reviewed.get(tool) ?? []), ...options.split(' ')]))
  }
  return reviewed
}

/** What a program prints, on both channels; nothing when it is not here or does not end in time. */
function run(program, args, patienceMs) {
  const bins = [join(home, 'node_modules/.bin'), join(home, 'py/bin')]
  const env = {
    ...process.env,
    PATH: [...bins, process.env.PATH].join(delimiter),
    PYTHONPATH: join(home, 'py'),
    HOME: home,
    ...{ NO_COLOR: '1', CI: '1', COLUMNS: '200', PAGER: 'cat', MANPAGER: 'cat', GIT_PAGER: 'cat' },
  }
  return new Promise(resolve => {
    const child = spawn(program, args, {
      cwd: home,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: patienceMs,
      killSignal: 'SIGKILL',
    })
    let text = ''
    const keep = chunk => {
      if (text.length < MOST_TEXT) text += chunk
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.once('error', () => resolve(''))
    child.once('close', () => resolve(text))
  })
}
