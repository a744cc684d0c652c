#!/usr/bin/env node
// `npm ci && npm test` on a machine with Node and nothing else: `npm run reality:bare [-- test files]`. In a mount namespace of its
// own everything is taken away from /usr that is not part of the smallest Debian or needed by Node: all that .ci/apt.txt lists,
// and what came along with it (libraries, fonts). The repository is copied as it stands and installed anew. Root, or user namespaces.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { cleanEnv, filesOf, hidePackages, NAMESPACES } from './bare-machine.mjs'

const root = join(import.meta.dirname, '..')
const LONGEST_MS = 100 * 60_000
const [inside, place, ...tests] = process.argv.slice(2)
if (inside === '--inside') runInside(place, tests)
else runOutside([inside, place, ...tests].filter(word => word !== undefined))

function runOutside(tests) {
  const place = mkdtempSync(join(tmpdir(), 'it-bare-'))
  try {
    for (const name of ['repository', 'home', 'over']) mkdirSync(join(place, name))
    // As it stands here, committed or not. (Git is not there later.)
    const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
    const there = files.split('\n').filter(file => file !== '' && existsSync(join(root, file)))
    execFileSync('cp', ['--parents', '-P', ...there, join(place, 'repository')], { cwd: root })
    // The shell stays the first process there: it takes in those whose parents have ended.
    const again = [
      'sh',
      '-c',
      '"$@"; exit $?',
      'sh',
      process.execPath,
      import.meta.filename,
      '--inside',
      place,
      ...tests,
    ]
    const { status, error } = spawnSync('unshare', [...NAMESPACES, '--mount-proc', ...again], {
      stdio: 'inherit',
      env: cleanEnv(join(place, 'home')),
      timeout: LONGEST_MS,
      killSignal: 'SIGKILL',
    })
    if (error) console.error(`The bare machine did not come to an end: ${error.message}`)
    process.exitCode = status ?? 1
  } finally {
    rmSync(place, { recursive: true, force: true, maxRetries: 10 })
  }
}

function runInside(place, tests) {
  const hidden = hidePackages(join(place, 'over'))
  const left = listedPrograms().filter(existsSync)
  console.log(`${hidden.files} files of ${hidden.packages} packages are hidden; Node ${process.version} is here.`)
  console.log(
    `Still here, because the smallest Debian has them: ${left.map(file => basename(file)).join(' ') || 'nothing'}`,
  )
  const repository = join(place, 'repository')
  const steps = [['ci', '--no-audit', '--no-fund'], tests.length > 0 ? ['exec', 'vitest', 'run', ...tests] : ['test']]
  for (const step of steps) {
    console.log(`\n$ npm ${step.join(' ')}`)
    const { status } = spawnSync('npm', step, { cwd: repository, stdio: 'inherit' })
    process.exitCode = status ?? 1
    if (status !== 0) return
  }
}

/** The programs of what CI installs. */
function listedPrograms() {
  const names = readFileSync(join(root, '.ci/apt.txt'), 'utf8')
    .split('\n')
    .filter(line => /^[a-z]/.test(line))
  return names.flatMap(filesOf).filter(file => /^\/usr\/s?bin\/./.test(file))
}
