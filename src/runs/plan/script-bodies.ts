import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { ScriptBody } from '../../contract/wire/script-body.ts'
import { makeLines } from './make-lines.ts'

const MOST_TEXT_BYTES = 64 * 1024
const MOST_READ_BYTES = 16 * 1024 * 1024
const MOST_ITEMS = 16

/**
 * What the words of a line stand for, as the disk has it now: the script a shell or an interpreter would read, the lines behind
 * `npm run x`, the recipe of `make x`. A person who sees only the name would approve something they have not read.
 */
export function scriptBodies(commands: readonly (readonly string[])[], cwd: string, most = MOST_ITEMS): ScriptBody[] {
  // `cd sub && bash x.sh`: looked for where the line goes, then where it started.
  const places = [cwd]
  const found = commands.flatMap(argv => {
    const [place = cwd] = places
    if (argv[0] === 'cd' && argv[1] !== undefined) places.unshift(resolve(place, argv[1]))
    return places.map(each => ofCommand(argv, each)).find(items => items.length > 0) ?? []
  })
  return found.filter((each, at) => found.findIndex(other => sameItem(each, other)) === at).slice(0, most)
}

const sameItem = (a: ScriptBody, b: ScriptBody): boolean => a.kind === b.kind && a.path === b.path && a.name === b.name

function ofCommand(argv: readonly string[], cwd: string): ScriptBody[] {
  const [program = '', ...words] = unwrapped(argv)
  const name = basename(program).replace(/\.exe$/i, '')
  if (name === 'source' || name === '.') return script(words[0], cwd)
  if (name === 'npm' || name === 'pnpm' || name === 'yarn' || name === 'bun') {
    const scripts = packageScripts(name, words, cwd)
    if (scripts.length > 0 || name !== 'bun') return scripts
  }
  if (name === 'make' || name === 'gmake') return makeTargets(words, cwd)
  if (INTERPRETERS.test(name)) return script(scriptOperand(name, words), cwd)
  return program.includes('/') && !isMachineCode(resolve(cwd, program)) ? script(program, cwd) : []
}

const INTERPRETERS =
  /^(ba|da|z|k|mk|a|fi)?sh$|^(python|pypy)[\d.]*$|^(node|nodejs|deno|bun|tsx|ts-node|ruby|perl|php|lua[\d.]*|Rscript|pwsh|powershell|osascript|tclsh|expect|awk|gawk|mawk|sed)$/

/** Options whose value is code, a module or nothing to read: then no word after them is a script. */
const INLINE: Readonly<Record<string, RegExp>> = {
  sh: /^-[a-z]*c$|^-[a-z]*s$/,
  python: /^-[a-zA-Z]*[cm]$/,
  node: /^(-e|--eval|-p|--print|-pe|--test|-c)$/,
  ruby: /^-e$/,
  perl: /^-[a-zA-Z]*[eE]$/,
  php: /^-[rBRE]$/,
  lua: /^-e$/,
  pwsh: /^-(c|command|enc|encodedcommand)$/i,
}
const WITH_VALUE: Readonly<Record<string, RegExp>> = {
  sh: /^(-[a-z]*[oO]|\+O|--rcfile|--init-file)$/,
  python: /^-[WXQ]$|^--check-hash-based-pycs$/,
  node: /^(-r|--require|--import|--loader|--experimental-loader|--env-file|-C|--conditions|--tsconfig)$/,
  ruby: /^-[ICrE]$/,
  perl: /^-[I]$/,
  php: /^-[cdzS]$/,
  lua: /^-l$/,
  pwsh: /^-(executionpolicy|ep|ex|version|workingdirectory|wd)$/i,
}

/** The word an interpreter reads its program from. */
function scriptOperand(name: string, words: readonly string[]): string | undefined {
  if (/awk$|^sed$/.test(name)) return optionValue(words, ['-f', '--file'])
  const family = /sh$/.test(name) && name !== 'pwsh' ? 'sh' : name.replace(/^pypy|^python.*/, 'python')
  const kin = /^(nodejs|tsx|ts-node|bun|deno)$/.test(family) ? 'node' : family === 'powershell' ? 'pwsh' : family
  const rest = (name === 'deno' || name === 'bun') && words[0] === 'run' ? words.slice(1) : words
  for (let i = 0; i < rest.length; i++) {
    const word = rest[i] ?? ''
    if (word === '--') return rest[i + 1]
    if (kin === 'pwsh' && /^-(f|file)$/i.test(word)) return rest[i + 1]
    if (INLINE[kin]?.test(word)) return undefined
    if (WITH_VALUE[kin]?.test(word)) i += 1
    else if (!/^[-+]./.test(word)) return word
  }
  return undefined
}

const WRAPPERS = /^(sudo|doas|env|nohup|time|timeout|nice|ionice|stdbuf|setsid|exec|command|builtin|xargs|npx|bunx)$/

/** Without `sudo`, `env A=1`, `timeout 5` in front. What does not look like a program afterwards is dropped, too. */
function unwrapped(argv: readonly string[]): readonly string[] {
  let rest = argv
  while (WRAPPERS.test(basename(rest[0] ?? ''))) {
    const at = rest.findIndex((word, i) => i > 0 && !/^-|^[A-Za-z_]\w*=|^\d+(\.\d+)?[smhd]?$/.test(word))
    if (at < 0) return []
    rest = rest.slice(at)
  }
  return rest
}

function script(word: string | undefined, cwd: string): ScriptBody[] {
  if (word === undefined || word === '-') return []
  const path = resolve(cwd, word)
  const bytes = contentOf(path)
  const shown = bytes === null ? tooLarge(path) : shownText(bytes)
  return shown === null ? [] : [{ kind: 'script', name: word, path, ...shown }]
}

/** Machine code says nothing to a reader; it is pinned with the programs of the plan. */
function isMachineCode(path: string): boolean {
  const head = contentOf(path)?.subarray(0, 4).toString('latin1') ?? ''
  return /^(\x7fELF|MZ|\xfe\xed\xfa[\xce\xcf]|[\xce\xcf]\xfa\xed\xfe|\xca\xfe\xba\xbe)/.test(head)
}

/** npm runs what comes before and after a script without being asked, and some scripts at an install. */
const LIFECYCLES: Readonly<Record<string, readonly string[]>> = {
  install: ['preinstall', 'install', 'postinstall', 'prepare'],
  ci: ['preinstall', 'install', 'postinstall', 'prepare'],
  publish: ['prepublishOnly', 'prepack', 'prepare', 'postpack', 'publish', 'postpublish'],
  pack: ['prepack', 'prepare', 'postpack'],
}
const SHORT_FOR: Readonly<Record<string, string>> = { i: 'install', add: 'install', t: 'test', tst: 'test' }
const RUN_DIRECTLY = ['test', 'start', 'stop', 'restart']

function packageScripts(manager: string, words: readonly string[], cwd: string): ScriptBody[] {
  const at = resolve(cwd, optionValue(words, ['--prefix', '-C', '--cwd', '--dir']) ?? '.')
  const operands = words.filter((word, i) => !word.startsWith('-') && !takesValue(words[i - 1]))
  const [first = manager === 'yarn' ? 'install' : '', second] = operands
  const verb = SHORT_FOR[first] ?? first
  const path = nearest(at, 'package.json')
  const bytes = path === null ? null : contentOf(path)
  if (path === null || bytes === null) return []
  const scripts = scriptsIn(bytes)
  const wanted = ['run', 'run-script', 'rum', 'urn'].includes(verb)
    ? second
    : RUN_DIRECTLY.includes(verb) || (manager !== 'npm' && verb in scripts && !(verb in LIFECYCLES))
      ? verb
      : null
  const names = wanted ? [`pre${wanted}`, wanted, `post${wanted}`] : wanted === null ? (LIFECYCLES[verb] ?? []) : []
  return names.flatMap(name => {
    const text = scripts[name]
    return text === undefined ? [] : [{ kind: 'package_script' as const, name, path, ...shownText(Buffer.from(text)) }]
  })
}

const takesValue = (word: string | undefined): boolean =>
  word !== undefined && /^(--prefix|-C|--cwd|--dir|-w|--workspace|--filter|-F)$/.test(word)

function scriptsIn(manifest: Buffer): Readonly<Record<string, string>> {
  try {
    const scripts = (JSON.parse(manifest.toString('utf8')) as { scripts?: unknown }).scripts
    const entries = Object.entries(scripts ?? {}).filter(([, text]) => typeof text === 'string')
    return Object.fromEntries(entries) as Record<string, string>
  } catch {
    return {} // npm will say what is wrong with it
  }
}

function makeTargets(words: readonly string[], cwd: string): ScriptBody[] {
  const directory = resolve(cwd, optionValue(words, ['-C', '--directory']) ?? '.')
  const named = optionValue(words, ['-f', '--file', '--makefile'])
  const files = named === undefined ? ['GNUmakefile', 'makefile', 'Makefile'] : [named]
  const path = files.map(file => resolve(directory, file)).find(file => contentOf(file) !== null)
  const bytes = path === undefined ? null : contentOf(path)
  if (path === undefined || bytes === null) return []
  const skipped = (before: string | undefined) =>
    before !== undefined && /^(-C|-f|-I|-o|-W|--directory|--file|--makefile)$/.test(before)
  const targets = words.filter((word, i) => !word.startsWith('-') && !word.includes('=') && !skipped(words[i - 1]))
  const { hash } = shownText(bytes)
  return makeLines(bytes.toString('utf8'), targets).map(({ target, text }) => ({
    kind: 'make_target' as const,
    name: target,
    path,
    ...shownText(Buffer.from(text)),
    // Variables and other rules decide, too, what the lines do.
    hash,
  }))
}

function optionValue(words: readonly string[], names: readonly string[]): string | undefined {
  for (const [i, word] of words.entries()) {
    if (names.includes(word)) return words[i + 1]
    const joined = names.find(name => name.startsWith('--') && word.startsWith(`${name}=`))
    if (joined !== undefined) return word.slice(joined.length + 1)
  }
  return undefined
}

function nearest(from: string, file: string): string | null {
  for (let at = from; ; at = dirname(at)) {
    const path = join(at, file)
    if (statSync(path, { throwIfNoEntry: false })?.isFile()) return path
    if (dirname(at) === at) return null
  }
}

/** Of a plain file that is not absurdly large. What cannot be read is not shown; the program will say so itself. */
function contentOf(path: string): Buffer | null {
  try {
    const stat = statSync(path)
    return stat.isFile() && stat.size <= MOST_READ_BYTES ? readFileSync(path) : null
  } catch {
    return null
  }
}

/** Padding must not hide a script: its start is shown, and which file it is. */
function tooLarge(path: string): Pick<ScriptBody, 'text' | 'omitted_bytes' | 'hash'> | null {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat?.isFile()) return null
  const { dev, ino, mtimeMs, size } = stat
  return { text: '', omitted_bytes: size, hash: `${dev}:${ino}:${mtimeMs}:${size}` }
}

function shownText(bytes: Buffer): Pick<ScriptBody, 'text' | 'omitted_bytes' | 'hash'> {
  const shown = bytes.subarray(0, MOST_TEXT_BYTES)
  return {
    text: shown.toString('utf8'),
    omitted_bytes: bytes.length - shown.length,
    hash: createHash('sha256').update(bytes).digest('hex'),
  }
}
