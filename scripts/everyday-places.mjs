// The lines that agents run all day, the three places they are judged in, and the gate that judges them there.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import * as esbuild from 'esbuild'

const root = join(import.meta.dirname, '..')
const FILES = {
  'package.json': '{"name":"app","scripts":{"test":"true","build":"true","lint":"true"}}\n',
  'README.md': 'x\n',
  Makefile: 'test:\n\ttrue\n',
  '.env': 'KEY=1\n',
  id_rsa: 'KEY\n',
  'server.pem': 'KEY\n',
  'src/a.ts': 'x\n',
  'src/index.ts': 'export {}\n',
}
export const PLACES = ['app', 'bound', 'unbound']

/** The sample's lines and our own, by group. */
export function everydayLines() {
  const linesOf = name =>
    readFileSync(join(root, 'test/data', name), 'utf8')
      .trim()
      .split('\n')
  const sample = linesOf('surroundings-sample.jsonl').map(line => JSON.parse(line))
  const ofGroup = wanted => sample.filter(({ group }) => group === wanted).map(({ command }) => command)
  return {
    'reading, sample': ofGroup('red-everyday-read'),
    'reading, ours': linesOf('everyday-reading.txt'),
    'tests and builds, sample': ofGroup('red-everyday-test'),
    'tests and builds, ours': linesOf('everyday-checks.txt'),
  }
}

/** Makes the places below a directory and answers how lines are judged there: as server and host do it, on this disk. */
export async function everydayGate(dir) {
  const at = place => join(dir, place)
  for (const place of PLACES) {
    for (const [file, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(at(place), file)), { recursive: true })
      writeFileSync(join(at(place), file), text)
    }
    spawnSync('git', ['init', '-q', at(place)])
  }
  const outfile = join(dir, 'gate.cjs')
  const contents = ['runs/facts/judge-line', 'policy/files/default-rules', 'policy/explain/what-frees']
    .map(file => `export * from './src/${file}.ts'`)
    .join('\n')
  const how = { bundle: true, platform: 'node', format: 'cjs', minify: true }
  await esbuild.build({ stdin: { contents, resolveDir: root }, outfile, ...how })
  const gate = createRequire(import.meta.url)(outfile)
  const workspaces = {
    app: { id: 'app', directory: at('app'), trusted: true },
    bound: { id: 'bound', directory: at('bound'), trusted: false },
    unbound: null,
  }
  const machine = { tmp: [], ours: [], platform: process.platform, env: process.env }
  const path = process.env.PATH ?? ''
  const defaults = gate.defaultRules()
  const rulesIn = place => {
    const surroundings = { machine, rules: defaults, workspace: workspaces[place], autoApprove: 'allowlist' }
    return gate.rulesOn(surroundings, at(place), path)
  }
  const lineIn = (command, place) => ({ command, cwd: at(place) })
  return {
    judge: (command, place, lane) =>
      lane === 'headless'
        ? gate.judgeHeadless(lineIn(command, place), rulesIn(place))
        : gate.judgeInteractive(lineIn(command, place), rulesIn(place), { venv: null, ownPath: path }, machine),
    frees: (command, place) => gate.whatFrees(lineIn(command, place), rulesIn(place)),
  }
}
