// The command line of the one build: what it takes, in which order it does it, and what it says at the end.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

/** The two ways to build. */
export const PROFILES = ['release', 'debug']

const OPTIONS = [
  ['--clean', 'removes dist/ first: nothing of an earlier build is left'],
  ['--profile <release|debug>', 'release, unless it is said; debug can be read, and has source maps'],
  ['--test', 'runs the whole suite afterwards (npm test)'],
  ['--run', 'starts the product afterwards, in this terminal'],
  ['--port <number>', 'with --run: the port of the host for MCP servers'],
  ['--package', 'for every kind of processor that there is a compiler for, as "npm pack" does'],
  ['--quiet', 'says nothing when all is well'],
  ['--help', 'this page'],
]

/**
 * Reads the words behind `npm run build --`. A string: what to say instead of building, and the code to end with.
 *
 * @type {(argv: readonly string[]) => import('./build-command.d.mts').BuildLine}
 */
export function readBuildLine(argv) {
  const wrong = message => ({ say: `${message}\n\n${help()}`, code: 2 })
  let values
  try {
    values = parseArgs({
      args: [...argv],
      options: {
        clean: { type: 'boolean' },
        profile: { type: 'string', default: 'release' },
        test: { type: 'boolean' },
        run: { type: 'boolean' },
        port: { type: 'string' },
        package: { type: 'boolean' },
        quiet: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values
  } catch (cause) {
    return wrong(cause.message)
  }
  const { clean = false, profile, test = false, run = false, port, quiet = false, package: forPackage = false } = values
  if (values.help) return { say: help(), code: 0 }
  if (!PROFILES.includes(profile))
    return wrong(`There is no profile "${profile}". There are ${PROFILES.join(' and ')}.`)
  if (port !== undefined && !run) return wrong('--port is for --run: without it nothing is started.')
  if (port !== undefined && !isPort(port)) return wrong(`"${port}" is no port: it is a number from 0 to 65535.`)
  return { clean, profile, test, run, port: port ?? null, quiet, forPackage }
}

const isPort = text => /^\d{1,5}$/.test(text) && Number(text) <= 65_535

const help = () =>
  [
    'npm run build -- [options]',
    'builds the product into dist/ and verifies that every file it needs to run is there',
    '',
    ...OPTIONS.map(([option, sentence]) => `  ${option.padEnd(26)} ${sentence}`),
  ].join('\n')

/**
 * What is not as it has to be to run, in words: every file by its hash, the packages beside it, and one start.
 *
 * @type {(dist: string, files: readonly string[]) => string[]}
 */
export function problemsOf(dist, files) {
  const list = JSON.parse(readFileSync(join(dist, 'manifest.json'), 'utf8'))
  const missing = files.filter(file => !existsSync(join(dist, file))).map(file => `dist/${file} is missing`)
  const unlisted = files.filter(file => list[file] === undefined).map(file => `dist/${file} is not in manifest.json`)
  const changed = Object.entries(list)
    .filter(([file, hash]) => existsSync(join(dist, file)) && hashOf(join(dist, file)) !== hash)
    .map(([file]) => `dist/${file} is not what was built`)
  const packages = packagesOf(dist).flatMap(name => (loads(dist, name) ? [] : [`the package ${name} cannot be loaded`]))
  const start = spawnSync(process.execPath, [join(dist, 'interactive-terminal.cjs'), '--version'], { encoding: 'utf8' })
  const started = start.status === 0 ? [] : [`it does not start: ${start.stderr.trim()}`]
  return [...missing, ...unlisted, ...changed, ...packages, ...started]
}

const packagesOf = dist => {
  const { dependencies = {} } = JSON.parse(readFileSync(join(dist, '../package.json'), 'utf8'))
  return Object.keys(dependencies)
}

function loads(dist, name) {
  try {
    createRequire(join(dist, 'app.cjs'))(name)
    return true
  } catch {
    return false // said with its name
  }
}

const hashOf = file => createHash('sha256').update(readFileSync(file)).digest('hex')

/**
 * How to see for oneself that it works. Each line can be typed in the folder of the repository.
 *
 * @type {(port: string | null, platform?: NodeJS.Platform) => [command: string, sentence: string][]}
 */
export function checkCommands(port, platform = process.platform) {
  const product = 'node dist/interactive-terminal.cjs'
  const listeners =
    platform === 'win32'
      ? 'netstat -ano -p TCP'
      : platform === 'darwin'
        ? 'lsof -nP -iTCP -sTCP:LISTEN'
        : "ss -ltnp '( sport = :9100 or sport = :9101 or sport = :9102 )'"
  return [
    [`${product} --version`, 'starts, and says which version'],
    [`${product} doctor`, 'what a command needs, in order'],
    [`npm start${port === null ? '' : ` -- --port ${port}`}`, 'starts the host and its window'],
    [`${product} status`, 'then, in a second terminal: whether it runs'],
    [listeners.replace('9100', port ?? '9100'), 'who listens: servers, window, terminals'],
    ['npm test', 'the whole suite'],
    ['npm pack', 'the package that people install'],
  ]
}
