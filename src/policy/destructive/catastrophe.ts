import { posix } from 'node:path'
import { powershellCatastrophe } from '../powershell-rules.ts'
import { isDisk, isPrecious } from './precious-paths.ts'
import { type RoughCommand, roughScan } from './rough-scan.ts'
import { isShell, programName, unwrap } from './unwrap.ts'
import { wipe } from './wiping-commands.ts'

/**
 * Commands no rule may allow, because no person could want them from an agent: wiping a root, a home, a disk (SPEC D17).
 * Found on the words a program would really get and on a rough scan of the raw text, so neither a wrapper nor a line the
 * reader cannot follow hides them; text that only mentions such a command stays free.
 */
export function catastrophe(
  line: string,
  cwd: string,
  scanned: readonly RoughCommand[] = roughScan(line),
): string | null {
  return inText(line, { cwd, depth: 0, budget: { characters: MOST_CHARACTERS } }, scanned)
}

/** The same for words that no shell will read again. */
export function catastropheOf(argv: readonly string[], cwd: string): string | null {
  return inCommand(
    { argv, sinks: [], fed: [], pipedFrom: null },
    { cwd, depth: 0, budget: { characters: MOST_CHARACTERS } },
  )
}

interface Place {
  readonly cwd: string
  readonly depth: number
  /** How much text may still be scanned: what is nested is scanned again on every level. */
  readonly budget: { characters: number }
}

const FORK_BOMB =
  /([\w:.]{1,64})\s{0,9}\(\)\s{0,9}\{[^{}]{0,200}?\1\s{0,9}\|\s{0,9}\1[^{}]{0,200}&[^{}]{0,200}\}|%0\s{0,9}\|\s{0,9}%0|\bfork\s+while\s+(?:1|true|fork)\b/
const DEEPEST = 8
const MOST_CHARACTERS = 128 * 1024
const WINDOWS_SHELL = /^(?:powershell|pwsh|cmd)(?:\.exe)?$/i
const INTERPRETER =
  /^(?:python[\d.]*|pypy3?|perl|ruby|node|nodejs|deno|bun|php|lua|osascript|pwsh|powershell)(?:\.exe)?$/i

function inText(text: string, place: Place, scanned?: readonly RoughCommand[]): string | null {
  place.budget.characters -= text.length
  if (place.budget.characters < 0) return null
  if (isForkBomb(text)) return 'it is a fork bomb: it starts processes until the machine stops'
  let cwd = place.cwd
  for (const command of scanned ?? roughScan(text)) {
    const found = inCommand(command, { ...place, cwd })
    if (found) return found
    const [program, target] = command.argv
    // `cd / && rm -rf *` wipes the root although no word of the second command names it.
    if (program !== undefined && /^(?:cd|pushd|chdir|set-location)$/i.test(program)) cwd = moved(cwd, target)
  }
  return null
}

/** Quoted text is only text; a shell that reads it is found by its own scan. */
function isForkBomb(text: string): boolean {
  return /[|]|fork/.test(text) && FORK_BOMB.test(text.replace(/'[^']*'|"(?:[^"\\]|\\.)*"/g, "''"))
}

function moved(cwd: string, target: string | undefined): string {
  if (target === undefined || /^(?:~|\$HOME|\$\{HOME\})\/?$/.test(target)) return '/home/user'
  return target.includes('$') || target.startsWith('-') ? cwd : posix.resolve(cwd, target.replace(/\\/g, '/'))
}

function inCommand(command: RoughCommand, place: Place): string | null {
  const disk = command.sinks.find(isDisk)
  if (disk) return `it would overwrite the disk ${disk}`
  const { commands, scripts } = unwrap(command.argv)
  for (const argv of commands) {
    const windows = WINDOWS_SHELL.test(programName(argv[0] ?? '')) ? powershellCatastrophe(argv) : null
    const found = wipe(argv, place.cwd) ?? fedByPipe(argv, command.pipedFrom, place) ?? windows
    if (found) return found
  }
  if (place.depth >= DEEPEST) return null
  const texts = [...scripts, ...commands.flatMap(argv => codeTexts(argv)), ...shellInput(command, commands)]
  for (const text of texts) {
    const found = inText(text, { ...place, depth: place.depth + 1 })
    if (found) return found
  }
  return null
}

/** `echo / | xargs rm -rf`, `find / | xargs rm`: the operands come through the pipe. */
function fedByPipe(argv: readonly string[], from: RoughCommand | null, place: Place): string | null {
  if (!from || programName(argv[0] ?? '') === 'xargs') return null
  const [source = '', ...words] = from.argv
  const name = programName(source)
  if (!/^(?:rm|shred|unlink)$/.test(programName(argv[0] ?? ''))) return null
  if (/^(?:echo|printf)$/.test(name)) return wipe([...argv, ...words.flatMap(word => word.split(/\s+/))], place.cwd)
  const root = /^(?:find|ls|fd|du)$/.test(name) ? words.find(word => isPrecious(word, place.cwd)) : undefined
  return root === undefined ? null : `rm would wipe all that ${name} finds in ${root}`
}

/** What a shell reads from its input: a here-document, a here-string, the text an echo sends it. */
function shellInput(command: RoughCommand, commands: readonly (readonly string[])[]): string[] {
  if (!commands.some(argv => isShell(argv[0] ?? '') && !argv.some(word => /^-[a-z]*c$/.test(word)))) return []
  const from = command.pipedFrom
  const echoed = from && /^(?:echo|printf|cat)$/.test(programName(from.argv[0] ?? '')) ? from.argv.slice(1) : []
  const piped = echoed.length > 0 ? [echoed.join(' '), ...echoed.map(word => word.replace(/\\n/g, '\n'))] : []
  return [...command.fed, ...(from?.fed ?? []), ...piped]
}

/** One-liners of other languages: each string in them may be a line for a shell, or a directory for rmtree. */
function codeTexts(argv: readonly string[]): string[] {
  if (!INTERPRETER.test(programName(argv[0] ?? '').replace(/^.*\\/, ''))) return []
  return argv.flatMap((word, i) => {
    if (!/^-{1,2}(?:c|e|E|r|p|pe|ne|eval|print|Command|EncodedCommand)$/i.test(argv[i - 1] ?? '')) return []
    const strings = [...word.matchAll(/(["'`])((?:(?!\1)[^\\]|\\.)*)\1/g)].map(([, , text = '']) => text)
    const tree = /(?:rmtree|rmSync|rmdirSync|rm_rf|removeSync|remove_tree|remove_dir_all|rimraf|fs\.rm)\b/.test(word)
    const words = /(?:\[|\()\s*(["'])rm\1\s*,/.test(word) ? [strings.join(' ')] : []
    const runs = /system|exec|popen|subprocess|spawn|`|qx|\bcall\b|\brun\(/i.test(word)
    return [...(runs ? [...strings, ...words] : []), word, ...(tree ? strings.map(text => `rm -rf '${text}'`) : [])]
  })
}
