import { extname } from 'node:path'

/** In which language a text is, and the files it says it loads, as they are written. Packages and what comes with a language are none. */
export interface Imports {
  readonly language: 'shell' | 'javascript' | 'python' | 'other'
  readonly names: readonly string[]
}

export function importsIn(text: string, path: string): Imports {
  const [first = ''] = text.split('\n', 1)
  const hint = first.startsWith('#!') ? first : extname(path)
  if (/node|bun|deno|tsx|\.[cm]?[jt]sx?$/.test(hint) && !/\.json$/.test(hint))
    return { language: 'javascript', names: all(text, JAVASCRIPT).filter(isFileName) }
  if (/python|\.pyw?$/.test(hint)) return { language: 'python', names: pythonModules(text) }
  if (/ruby|\.rb$/.test(hint)) return { language: 'other', names: all(text, RUBY) }
  if (/perl|\.p[lm]$/.test(hint)) return { language: 'other', names: all(text, PERL).filter(isFileName) }
  if (/php|\.php$/.test(hint)) return { language: 'other', names: all(text, PHP) }
  if (/\.(json|ya?ml|toml|md|txt)$/.test(extname(path)) && !path.endsWith('package.json'))
    return { language: 'other', names: [] }
  return { language: 'shell', names: all(text, MAKE) }
}

const JAVASCRIPT =
  /(?:\bfrom|\bimport|\brequire(?:\.resolve)?\s*\(|\bimport\s*\()\s*['"`]([^'"`\n]{1,400})['"`]|\breadFileSync\(\s*['"`]([^'"`\n]{1,400}\.[cm]?[jt]s)['"`]/g
const RUBY =
  /^\s*(?:require_relative|load)\s*\(?\s*['"]([^'"\n]{1,400})['"]|^\s*require\s*\(?\s*['"](\.{1,2}\/[^'"\n]{1,400})['"]/gm
const PERL = /\b(?:require|do)\s+['"]([^'"\n]{1,400})['"]/g
const PHP = /\b(?:include|require)(?:_once)?\s*\(?\s*(?:__DIR__\s*\.\s*)?['"]\/?([^'"\n]{1,400})['"]/g
const MAKE = /^-?include[ \t]+(\S{1,400})/gm

const isFileName = (name: string): boolean => /^(\.{0,2})\//.test(name)

const all = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].flatMap(([, ...groups]) => groups.find(group => group !== undefined) ?? [])

/** Those that may lie beside the script: there python looks first. */
function pythonModules(text: string): string[] {
  const froms = [...text.matchAll(/^[ \t]*from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]+([^\n#]{1,400})/gm)]
  const imports = [...text.matchAll(/^[ \t]*import[ \t]+([^\n#]{1,400})/gm)]
  const plain = imports.flatMap(([, names = '']) => names.split(',').map(name => name.trim().split(/\s/)[0] ?? ''))
  const relative = froms.flatMap(([, module = '', names = '']) =>
    /^\.+$/.test(module) ? names.split(',').map(name => module + (name.trim().split(/\s/)[0] ?? '')) : [module],
  )
  return [...plain, ...relative].filter(name => /^[.\w]+$/.test(name)).map(asPath)
}

/** `pkg.mod` is `./pkg/mod`, `..up` is `../up`. */
function asPath(name: string): string {
  const dots = /^\.*/.exec(name)?.[0].length ?? 0
  const up = dots <= 1 ? './' : '../'.repeat(dots - 1)
  return up + name.slice(dots).replaceAll('.', '/')
}
