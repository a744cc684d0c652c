import { posix } from 'node:path'
import { Effort } from '../model/effort.ts'
import { powershellCatastrophe } from '../rules/powershell-rules.ts'
import { FUNCTION, MadeHere } from './definitions-in-line.ts'
import { isDisk, isMachineSwitch, isPrecious } from './precious-paths.ts'
import { printed } from './printed-text.ts'
import type { RoughCommand } from './rough-command.ts'
import { roughScan } from './rough-scan.ts'
import { isShell, programName, unwrap } from './unwrap.ts'
import { isNarrowed, wipe } from './wiping-commands.ts'

/**
 * Commands no rule may allow, because no person could want them from an agent: wiping a root, a home, a disk (docs/spec.md D17).
 * Found on the words a program would really get and on a rough scan of the raw text, so neither a wrapper nor a line the
 * reader cannot follow hides them; text that only mentions such a command stays free.
 */
export function catastrophe(
  line: string,
  cwd: string,
  { effort, scanned }: { effort: Effort; scanned: readonly RoughCommand[] },
): string | null {
  return inText(line, { cwd, depth: 0, effort }, scanned)
}

/** The same for words that no shell will read again. */
export function catastropheOf(argv: readonly string[], cwd: string, effort = new Effort()): string | null {
  return inCommand({ argv, sinks: [], fed: [], pipedFrom: null }, { cwd, depth: 0, effort })
}

/**
 * What a line that was too much to look through has at its start and at its end, taken for a command from every word on:
 * whoever fills a line with work hides something in front of it or behind it.
 */
export function catastropheAtEnds(line: string, cwd: string): string | null {
  const effort = new Effort()
  for (const end of [line.slice(0, WATCHED), line.slice(-WATCHED)]) {
    // The first and the last word may be cut in half.
    const words = end.split(/[\s;&|(){}"'`]+/).slice(line.startsWith(end) ? 0 : 1, line.endsWith(end) ? undefined : -1)
    const shown = line.startsWith(end) ? words.slice(0, MOST_STARTS) : words.slice(-MOST_STARTS)
    for (const [i] of shown.entries()) {
      const argv = shown.slice(i, i + MOST_STARTS)
      const found = wipe(argv, cwd, effort) ?? powershellCatastrophe(argv, effort)
      if (found) return found
    }
  }
  return null
}

interface ScanContext {
  readonly cwd: string
  readonly depth: number
  readonly effort: Effort
  /** Variables the text around has set. */
  readonly known?: RoughCommand['known'] | undefined
}

const ENDLESS_FORK =
  /\bfork\s+while\s+(?:1|true|fork)\b|(?:\bwhile\s*\(?\s*(?:1|true)\b|\bloop\s*(?:\{|do\b)|\bfor\s*\(\s*;\s*;)[^}]{0,60}?\bfork\b|\bfork\b[\s\S]{0,30}\biter\s*\(\s*int/i
/** `os.kill(-1, 9)`, `process.kill(-1)`, `Process.kill('KILL', -1)` */
const KILLS_ALL = /\bkill(?:pg)?\s*\(\s*(?:[\w.'":]+\s*,\s*)?-1\s*[,)]/
const DEEPEST = 8
const WATCHED = 256
const MOST_STARTS = 12
const WINDOWS_SHELL = /^(?:powershell|pwsh|cmd)(?:\.exe)?$/i
const INTERPRETER =
  /^(?:python[\d.]*|pypy3?|perl|ruby|node|nodejs|deno|bun|php|lua|osascript|pwsh|powershell)(?:\.exe)?$/i

function inText(text: string, place: ScanContext, scanned?: readonly RoughCommand[]): string | null {
  if (!place.effort.spend(text.length)) return null
  if (isForkBomb(text)) return 'it is a fork bomb: it starts processes until the machine stops'
  let cwd = place.cwd
  const made = new MadeHere(text)
  for (const command of scanned ?? roughScan(text, place.effort, place.known)) {
    const found = inCommand(command, { ...place, cwd }) ?? inTexts(made.readBy(command), { ...place, cwd })
    if (found) return found
    const [program, target] = command.argv
    // `cd / && rm -rf *` wipes the root although no word of the second command names it.
    if (program !== undefined && /^(?:cd|pushd|chdir|set-location)$/i.test(program)) cwd = moved(cwd, target)
  }
  return null
}

/** A function that starts itself twice at once. Quoted text is only text; a shell that reads it is found by its own scan. */
function isForkBomb(text: string): boolean {
  if (!/[|&]/.test(text)) return false
  const bare = text.replace(/'[^']*'|"(?:[^"\\]|\\.)*"/g, "''")
  if (/%0\s{0,9}\|\s{0,9}%0/.test(bare)) return true
  return [...bare.matchAll(FUNCTION)].some(([, keyword, plain, body = '']) => {
    const name = (keyword ?? plain ?? '').replace(/[^\w]/g, '\\$&')
    return new RegExp(`(?:^|[\\s;&|])${name}\\s{0,9}(?:\\|&?(?!\\|)|&(?!&))\\s{0,9}${name}(?:$|[\\s;&|])`).test(body)
  })
}

function moved(cwd: string, target: string | undefined): string {
  if (target === undefined || /^(?:~[\w.-]*|\$HOME|\$\{HOME\})\/?$/.test(target)) return '/home/user'
  return target.includes('$') || target.startsWith('-') ? cwd : posix.resolve(cwd, target.replace(/\\/g, '/'))
}

function inCommand(command: RoughCommand, place: ScanContext): string | null {
  const disk = command.sinks.find(isDisk)
  if (disk) return `it would overwrite the disk ${disk}`
  const { commands, scripts } = unwrap(command.argv, place.effort)
  const stopped = stopsMachine(command, commands)
  if (stopped) return stopped
  const feeds = commands.some(([program = '']) => /^(?:xargs|parallel)$/.test(programName(program)))
  for (const argv of commands) {
    const windows = WINDOWS_SHELL.test(programName(argv[0] ?? '')) ? powershellCatastrophe(argv, place.effort) : null
    const found = wipe(argv, place.cwd, place.effort) ?? (feeds ? fedByPipe(argv, command, place) : null) ?? windows
    if (found) return found
  }
  if (place.effort.spent) return null
  const code = commands.flatMap(argv => codeTexts(argv, place.effort))
  if (code.some(text => KILLS_ALL.test(text))) return 'it would end every process'
  if (code.some(text => ENDLESS_FORK.test(text)))
    return 'it is a fork bomb: it starts processes until the machine stops'
  const texts = [...scripts, ...code, ...shellInput(command, commands, place.effort)]
  return inTexts(texts, { ...place, known: command.known })
}

/** `echo b > /proc/sysrq-trigger`. Letters that only print or sync are a matter for a question. */
function stopsMachine(command: RoughCommand, commands: readonly (readonly string[])[]): string | null {
  const written = commands.flatMap(([program = '', ...words]) =>
    /^(?:tee|sponge|dd|cp|install)$/.test(programName(program)) ? words.map(word => word.replace(/^of=/, '')) : [],
  )
  if (![...command.sinks, ...written].some(isMachineSwitch)) return null
  const said = printed(command) ?? (command.pipedFrom ? printed(command.pipedFrom) : null)
  return said !== null && /^[hdlmpqstwz0-9]\s*$/.test(said) ? null : 'it would take the machine down at once'
}

function inTexts(texts: readonly string[], place: ScanContext): string | null {
  if (texts.length > 0 && place.depth >= DEEPEST) place.effort.giveUp()
  for (const text of texts) {
    const found = inText(text, { ...place, depth: place.depth + 1 })
    if (found) return found
  }
  return null
}

/** `echo / | xargs rm -rf`, `find / | xargs rm`: the operands come through the pipe. */
function fedByPipe(argv: readonly string[], { pipedFrom, fed }: RoughCommand, place: ScanContext): string | null {
  if (!/^(?:rm|shred|unlink)$/.test(programName(argv[0] ?? ''))) return null
  const [source = '', ...words] = pipedFrom?.argv ?? []
  const name = programName(source)
  const said = fed[0] ?? (pipedFrom ? printed(pipedFrom) : null)
  if (said !== null) {
    const operands = said.split(/[\s\0]+/).filter(word => word !== '')
    return wipe([...argv, ...operands], place.cwd, place.effort)
  }
  if (!/^(?:find|ls|fd|du)$/.test(name) || isNarrowed(words)) return null
  const places = words.filter(word => !word.startsWith('-'))
  const root = (places.length === 0 ? ['.'] : places).find(word => isPrecious(word, place.cwd))
  return root === undefined ? null : `rm would wipe all that ${name} finds in ${root}`
}

/** What a shell reads from its input: a here-document, a here-string, the text an echo sends it. */
function shellInput(command: RoughCommand, commands: readonly (readonly string[])[], effort: Effort): string[] {
  const readers = commands.filter(argv => readsInput(argv))
  if (readers.length === 0) return []
  const from = command.pipedFrom
  const echoed = from && /^(?:echo|printf|cat)$/.test(programName(from.argv[0] ?? '')) ? from.argv.slice(1) : []
  const piped = echoed.length > 0 ? [echoed.join(' '), ...echoed.map(word => word.replace(/\\n/g, '\n'))] : []
  const made = from ? printed(from) : null
  const input = [...command.fed, ...(from?.fed ?? []), ...piped, ...(made === null ? [] : [made])]
  const given = readers.some(([program]) => program === 'crontab') ? input.map(withoutTimes) : input
  return readers.some(([program = '']) => INTERPRETER.test(programName(program)))
    ? given.flatMap(text => inCode(text, effort))
    : given
}

/** `* * * * * rm x` → `rm x` */
const withoutTimes = (table: string): string =>
  table.replace(/^[ \t]*(?:@\w+|(?:[-\w*/,]+[ \t]+){4}[-\w*/,]+)[ \t]+/gm, '')

const readsInput = (argv: readonly string[]): boolean => {
  const name = programName(argv[0] ?? '')
  if (/^(?:source|\.|at|batch|ssh|crontab)$/.test(name)) return true
  if (name === 'make') return argv.includes('-')
  return (isShell(name) || INTERPRETER.test(name)) && !argv.some(word => /^-[a-z]*[ce]$/.test(word))
}

/** One-liners of other languages: each string in them may be a line for a shell, or a directory for rmtree. */
function codeTexts(argv: readonly string[], effort: Effort): string[] {
  const name = programName(argv[0] ?? '').replace(/^.*\\/, '')
  if (/^[gmn]?awk$/.test(name))
    return argv.slice(1).flatMap(word => (/\bsystem\b|\|/.test(word) ? inCode(word, effort) : []))
  if (/^g?sed$/.test(name))
    return argv.slice(1).flatMap(word => /(?:^|[\d$,;{}!])\s{0,9}e\s+(.+)/.exec(word)?.[1] ?? [])
  if (!INTERPRETER.test(name)) return []
  return argv.flatMap((word, i) => {
    const glued = /^--(?:eval|print)=(.+)$/s.exec(word)?.[1]
    if (glued !== undefined) return inCode(glued, effort)
    return /^eval$|^-{1,2}(?:c|e|E|r|p|pe|ne|eval|print|Command|EncodedCommand)$/i.test(argv[i - 1] ?? '')
      ? inCode(word, effort)
      : []
  })
}

const HOME_IN_CODE =
  /(?:Path\.home\(\)|homedir\(\)|environ\[["']HOME["']\]|getenv\(["']HOME["']\)|process\.env\.HOME|ENV\[["']HOME["']\]|Dir\.home)\s*[,)]/

function inCode(word: string, effort: Effort): string[] {
  if (!effort.spend(2 * word.length)) return []
  const strings = [...word.matchAll(/(["'`])((?:(?!\1)[^\\]|\\.)*)\1/g)].map(([, , text = '']) => text)
  const tree =
    /(?:rmtree|rmSync|rmdirSync|rm_rf|removeSync|remove_tree|remove_dir_all|rimraf|fs\.rm|Deno\.remove(?:Sync)?)\b/.test(
      word,
    )
  const words = /(?:\[|\(|\bexec|\bsystem)\s*(["'])rm\1\s*,/.test(word) ? [strings.join(' ')] : []
  const runs = /system|exec|popen|subprocess|spawn|`|qx|\bcall\b|\brun\(|shell script|getline/i.test(word)
  const home = tree && HOME_IN_CODE.test(word) ? ['rm -rf ~'] : []
  return [
    ...home,
    ...(runs ? [...strings, ...words] : []),
    word,
    ...(tree ? strings.map(text => `rm -rf '${text}'`) : []),
  ]
}
