import { readFileSync, statSync } from 'node:fs'
import { basename, dirname, extname, resolve } from 'node:path'
import { fileIdentity } from '../../base/file-identity.ts'
import type { ScriptBody } from '../../contract/wire/script-body.ts'
import { roughScan } from '../../policy/destructive/rough-scan.ts'
import { gitHooks } from './git-hooks.ts'
import { importsIn } from './imports-in.ts'
import { scriptBodies } from './script-bodies.ts'

/** A file that runs with what the person was shown, without being shown itself. */
export interface LoadedFile {
  /** As it is written there. */
  readonly name: string
  /** null: which file that is shows only when it runs. */
  readonly path: string | null
  /** What loads it: a script, or an option of the line. */
  readonly by: string
  readonly identity: string | null
}

const MOST_FILES = 32
const MOST_BYTES = 1024 * 1024

/**
 * What the shown scripts, and the options of the line, read and run in turn: `source x`, `node -r ./pre.js`, imports of files; and
 * what those do. Each is named on the card, and when one changes meanwhile, the person is asked again.
 */
export function loadedFiles(
  commands: readonly (readonly string[])[],
  shown: readonly ScriptBody[],
  cwd: string,
): LoadedFile[] {
  const seen = new Set(shown.map(({ path }) => path))
  const found: LoadedFile[] = []
  const note = (name: string, by: string, path: string | null): void => {
    if (found.length > MOST_FILES || (path !== null && seen.has(path))) return
    if (path === null && found.some(each => each.name === name)) return
    if (path !== null) seen.add(path)
    if (found.length === MOST_FILES) found.push({ name: 'and more files', path: null, by: 'these', identity: null })
    else found.push({ name, path, by, identity: path === null ? null : fileIdentity(path) })
  }
  for (const one of scriptBodies(commands, cwd, MOST_FILES)) note(one.name, 'the line', one.path)
  for (const argv of commands) {
    for (const name of optionFiles(argv)) note(name, argv[0] ?? '', fileFor(name, [cwd]))
    for (const [name, path] of projectPrograms(argv, cwd)) note(name, argv[0] ?? '', path)
    if (RUNS_HOOKS.test(argv.join(' '))) for (const hook of gitHooks(cwd)) note(basename(hook), 'git', hook)
  }
  for (const { kind, name, path, text } of shown)
    noteAll(kind === 'script' ? textOf(path) : text, { path, cwd, by: name }, note)
  // Grows while it is walked: what is found is looked into as well.
  for (const { path, name } of found) if (path !== null) noteAll(textOf(path), { path, cwd, by: name }, note)
  return found
}

/** What git does with hooks; what only reads has none. */
const RUNS_HOOKS =
  /^(?:\S*\/)?git (?:\S+ )*?(?:commit|push|merge|rebase|checkout|switch|am|pull|clone|worktree|gc|cherry-pick|revert|reset)\b/

interface Text {
  readonly path: string
  readonly cwd: string
  readonly by: string
}

function noteAll(
  text: string,
  { path, cwd, by }: Text,
  note: (name: string, by: string, path: string | null) => void,
): void {
  const beside = dirname(path)
  const { language, names } = importsIn(text, path)
  for (const name of names) {
    const file = fileFor(name, [beside])
    // What is not beside a script is python's own or a package.
    if (file !== null || language !== 'python') note(name, by, file)
  }
  if (language !== 'shell') return
  const commands = roughScan(text).map(({ argv }) => argv)
  for (const argv of commands) {
    const [program, word] = argv
    for (const [name, file] of projectPrograms(path.endsWith('package.json') ? ['npx', ...argv] : argv, beside))
      note(name, by, file)
    if ((program === 'source' || program === '.') && word !== undefined)
      note(word, by, fileFor(besideIt(word, beside), [cwd, beside]))
    else {
      for (const name of optionFiles(argv)) note(name, by, fileFor(name, [cwd, beside]))
      for (const one of [cwd, beside].flatMap(place => scriptBodies([argv.map(each => besideIt(each, beside))], place)))
        note(one.name, by, one.path)
    }
  }
}

/** `$(dirname "$0")/lib.sh`, `$DIR/lib.sh`: nearly always the place of the script itself. */
const besideIt = (word: string, beside: string): string =>
  word.replace(/^(?:\$\(…\)|`…`|\$\{?\w+(?:%\/\*)?\}?)(?=\/)/, () => beside)

/** `npx x`, and `x` in a package script, is the project's own program before it is any other. */
function projectPrograms([runner = '', ...words]: readonly string[], from: string): [name: string, file: string][] {
  if (!/^(npx|pnpx|bunx|pnpm|yarn|npm)$/.test(basename(runner))) return []
  const name = words.find(word => !/^-|^(exec|run|dlx|x)$|=/.test(word))
  if (name === undefined || !/^[\w.-]+$/.test(name)) return []
  for (let at = from; ; at = dirname(at)) {
    const file = resolve(at, 'node_modules/.bin', name)
    if (isFile(file)) return [[name, file]]
    if (dirname(at) === at) return []
  }
}

/** Options whose value is a file that is run before or with the program. */
const OPTIONS: Readonly<Record<string, RegExp>> = {
  node: /^(-r|--require|--import|--loader|--experimental-loader)(?:=(.+))?$/,
  ruby: /^(-r)(.+)?$/,
  bash: /^(--rcfile|--init-file)(?:=(.+))?$/,
  php: /^(-d)auto_prepend_file=(.+)$/,
  make: /^(--eval)(?:=(.+))?$/,
}
const KIN: Readonly<Record<string, string>> = {
  nodejs: 'node',
  tsx: 'node',
  bun: 'node',
  'ts-node': 'node',
  sh: 'bash',
}

function optionFiles(argv: readonly string[]): string[] {
  const at = argv.findIndex(word => optionsOf(word) !== undefined)
  const option = optionsOf(argv[at] ?? '')
  if (option === undefined) return []
  const words = argv.slice(at + 1)
  const named = words.flatMap((word, i) => {
    const match = option.exec(word)
    return match ? [match[2] ?? words[i + 1] ?? ''] : []
  })
  const module = /^python[\d.]*$/.test(basename(argv[at] ?? '')) ? moduleFile(words) : []
  return [...named, ...module].filter(name => name !== '')
}

function optionsOf(program: string): RegExp | undefined {
  const name = basename(program)
  if (/^python[\d.]*$/.test(name)) return /^$/
  return OPTIONS[KIN[name] ?? name]
}

/** `python -m pkg.mod` reads what is in the directory before what is installed. */
function moduleFile(words: readonly string[]): string[] {
  const at = words.indexOf('-m')
  const name = at < 0 ? undefined : words[at + 1]
  return name === undefined || !/^[\w.]+$/.test(name) ? [] : [`./${name.replaceAll('.', '/')}`]
}

const ENDINGS = [
  '',
  '.js',
  '.mjs',
  '.cjs',
  '.ts',
  '.mts',
  '.cts',
  '.tsx',
  '.jsx',
  '.json',
  '.py',
  '.rb',
  '.pl',
  '.php',
  '.sh',
]
const INSIDE = ['index.js', 'index.ts', '__main__.py', '__init__.py', 'index.mjs', 'index.cjs']

/** Without a file of that name nobody can say what it will be; a package, for example. */
function fileFor(name: string, places: readonly string[]): string | null {
  if (/[$`*?…]/.test(name)) return null
  for (const place of places) {
    const base = resolve(place, name)
    const written = extname(base) === '.js' ? [`${base.slice(0, -3)}.ts`] : []
    const candidates = [...ENDINGS.map(ending => base + ending), ...written, ...INSIDE.map(each => resolve(base, each))]
    const file = candidates.find(isFile)
    if (file !== undefined) return file
  }
  return null
}

const isFile = (path: string): boolean => {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true
  } catch {
    return false // below a file, or too long to be one
  }
}

function textOf(path: string): string {
  try {
    return statSync(path).size > MOST_BYTES ? '' : readFileSync(path, 'utf8')
  } catch {
    return '' // whoever loads it will say so
  }
}
