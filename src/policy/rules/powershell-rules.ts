import { Effort } from '../model/effort.ts'
import { isPreciousWindowsPath } from '../model/powershell-paths.ts'
import type { SimpleCommand } from '../model/reading.ts'
import { putInPlace, seenInPowerShell } from '../read/powershell-seen.ts'

/** Refused for everybody: wiping a drive, a home, a system directory, formatting. Null when it is not that. */
export function powershellCatastrophe(argv: readonly string[], effort = new Effort(), nested = 0): string | null {
  if (!effort.spend(COMMAND + WORD * argv.length)) return null
  const { name, rest } = commandOf(argv)
  if (rest.some(isWhatIf)) return null
  const target = TAKES_PLACES.test(name) ? rest.find(isPreciousWindowsPath) : undefined
  if (DELETERS.test(name) && target !== undefined && rest.some(isRecursive)) return `${name} would wipe ${target}`
  const drive = rest.find(word => /^[a-z]:[\\/]?$/i.test(word))
  if (/^format(?:\.com)?$/.test(name) && drive !== undefined) return `format would wipe ${drive}`
  if (DISK_WIPERS.test(name)) return rest.some(word => /^-\?$|^-help$/i.test(word)) ? null : `${name} would wipe a disk`
  if (/^(?:icacls|cacls|takeown)$/.test(name) && target !== undefined && rest.some(word => /^\/[tr]$/i.test(word)))
    return `${name} would change all of ${target}`
  if (
    /^(?:sdelete(?:64)?|cipher)$/.test(name) &&
    rest.some(word => /^(?:\/w:|-s$|-z$)/i.test(word)) &&
    (drive || target)
  )
    return `${name} would wipe ${drive ?? target}`
  const lost = losesAll(name, rest)
  if (lost) return `${name} ${lost}`
  const inner = nested < MOST_NESTED ? innerText(name, rest) : null
  return inner === null ? null : powershellLineCatastrophe(inner, effort, nested + 1)
}

/** Other ways to lose a disk or all that could bring it back. */
function losesAll(name: string, rest: readonly string[]): string | null {
  const text = rest.join(' ')
  if (name === 'diskpart' && rest.some(word => /^\/s$/i.test(word))) return 'would change disks by a script'
  if (name === 'cipher' && rest.some(word => /^\/w:/i.test(word))) return 'would wipe a disk'
  if (name === 'vssadmin' && /^delete\s+shadows\b/i.test(text)) return 'would delete all backups'
  if (name === 'wbadmin' && /^delete\s/i.test(text)) return 'would delete all backups'
  if (name === 'wmic' && /\bshadowcopy\b.*\bdelete\b/i.test(text)) return 'would delete all backups'
  if (
    name === 'reg' &&
    /^delete\s+"?HK(?:LM|CR|U|CU|EY_\w+)(?:\\(?:software|system|sam|security))?\\?"?(?:\s|$)/i.test(text)
  )
    return 'would wipe the registry'
  const [from = '', to = ''] = rest
  if (name === 'robocopy' && rest.some(word => /^\/(?:mir|purge)$/i.test(word)) && isPreciousWindowsPath(to))
    return `would wipe ${to}`
  if (/^(?:move-item|mi|mv|move)$/.test(name)) {
    const at = rest.findIndex(word => /^-(?:p|path|literalpath)$/i.test(word))
    const source = at < 0 ? from : (rest[at + 1] ?? '')
    if (isPreciousWindowsPath(source)) return `would move away ${source}`
  }
  return null
}

/** Needs approval by a deliberate gesture, refused headless: hard to undo. Null when it is not that. */
export function powershellGrave(argv: readonly string[], effort = new Effort(), nested = 0): string | null {
  if (!effort.spend(COMMAND + WORD * argv.length)) return null
  const { name, rest } = commandOf(argv)
  if (rest.some(isWhatIf)) return null
  if (DELETERS.test(name) && rest.some(isRecursive)) return `${name} deletes whole directories`
  const grave = GRAVE.find(({ program, words }) => program.test(name) && (!words || words.test(rest.join(' '))))
  if (grave) return `${name} ${grave.why}`
  const inner = nested < MOST_NESTED ? innerText(name, rest) : null
  return inner === null ? null : firstOf(inner, words => powershellGrave(words, effort, nested + 1), effort)
}

/** The catastrophe anywhere in a line, read loosely: also inside blocks, behind & and in pipelines. */
export function powershellLineCatastrophe(line: string, effort = new Effort(), nested = 0): string | null {
  const found = inWritten(line, effort, nested)
  const meant = found === null ? putInPlace(line) : line
  return found ?? (meant === line ? null : inWritten(meant, effort, nested))
}

function inWritten(line: string, effort: Effort, nested: number): string | null {
  if (!effort.spend(2 * line.length)) return null
  const commands = seenInPowerShell(line)
  for (const { argv } of commands) {
    const found = powershellCatastrophe(argv, effort, nested)
    if (found) return found
    if (effort.spent) return null
  }
  return throughPipe({ line, commands }, effort, nested) ?? afterMoving(commands) ?? inMethods(line)
}

/** `gci C:\ -r | ri`, `'C:\' | ri -r`, `'…' | iex`, `'clean' | diskpart`. */
function throughPipe(
  { line, commands }: { line: string; commands: readonly SimpleCommand[] },
  effort: Effort,
  nested: number,
): string | null {
  for (const [i, { argv, end }] of commands.entries()) {
    if (!effort.spend(COMMAND)) return null
    const next = commands[i + 1]
    if (next && !/\|(?!\|)/.test(line.slice(end, next.start))) continue
    const { name, rest } = commandOf(argv)
    const said = [...argv.slice(0, 1), ...(SAYERS.test(name) ? rest : [])]
    const places = LISTERS.test(name) ? rest : said.flatMap(word => word.split(','))
    const place = places.find(isPreciousWindowsPath)
    for (const sink of commands.slice(i + 1, i + 1 + MOST_SINKS).map(({ argv: words }) => commandOf(words))) {
      if (place !== undefined && deletesAll(sink, rest)) return `${sink.name} would wipe ${place}`
      if (/^(?:iex|invoke-expression)$/.test(sink.name) && nested < MOST_NESTED) {
        const inner = powershellLineCatastrophe(said.join(' '), effort, nested + 1)
        if (inner) return inner
      }
      if (sink.name === 'diskpart' && /(?:\b|`n)(?:clean|format|delete)\b/i.test(line.slice(0, LONGEST_LOOK)))
        return 'diskpart would wipe a disk'
    }
  }
  return null
}

const deletesAll = (sink: { name: string; rest: readonly string[] }, given: readonly string[]): boolean =>
  DELETERS.test(sink.name) && !sink.rest.some(isWhatIf) && (sink.rest.some(isRecursive) || given.some(isRecursive))

/** `cd C:\; ri -r *` */
function afterMoving(commands: readonly SimpleCommand[]): string | null {
  let place: string | undefined
  for (const { argv } of commands) {
    const { name, rest } = commandOf(argv)
    if (/^(?:cd|sl|chdir|set-location|push-location|pushd)$/.test(name))
      place = rest.filter(word => !/^-\w+$/.test(word)).find(isPreciousWindowsPath)
    else if (
      place !== undefined &&
      DELETERS.test(name) &&
      !rest.some(isWhatIf) &&
      rest.some(isRecursive) &&
      rest.some(word => /^(?:\.|\*|\.[\\/]\*?|\*\.\*)$/.test(word))
    )
      return `${name} would wipe ${place}`
  }
  return null
}

function inMethods(line: string): string | null {
  const deleted =
    /\[(?:System\.)?IO\.Directory\]::Delete\(\s*['"]?([^'",)]+)['"]?\s*,\s*(?:\$true|1)/i.exec(line)?.[1] ??
    /\((?:get-item|gi)\s+['"]?([^'")]+)['"]?\)\.Delete\(/i.exec(line)?.[1]
  if (deleted && isPreciousWindowsPath(deleted.trim())) return `Delete would wipe ${deleted}`
  if (/\bWin32_ShadowCopy\b/i.test(line) && /\.Delete\(|\bRemove-(?:Wmi|Cim)/i.test(line))
    return 'it would delete all backups'
  return FORK_BOMB.test(line) ? 'it starts shells without end' : null
}

/** Why only an exact rule may cover it, never a wildcard: its words name a program, a file to write, or a place that is no file. */
export function powershellBeyondWildcard(argv: readonly string[]): string | null {
  const { name, rest } = commandOf(argv)
  if (RUNNERS.test(name)) return `${name} runs what its words say`
  const written = WRITING_OPTIONS.find(({ program }) => program.test(name))
  const option = written && rest.find(word => written.option.test(word))
  if (option !== undefined) return `${option} writes a file, sends one or signs in elsewhere`
  if (WRITERS.test(name)) return `${name} writes the file its words name`
  const provider = FILE_COMMANDS.test(name) ? rest.find(isProvider) : undefined
  if (provider !== undefined) return `${provider} is not a plain file`
  if (/^(?:get-help|help|man)$/.test(name) && rest.some(word => /^-(?:on|sho)/i.test(word))) return 'it opens a window'
  const remote = rest.find(
    word =>
      /^(?:[-/]\w+:)?(?:(?:\\\\|\/\/)[^\\/?.]|\\[\\?][?.]\\unc\\)/i.test(word) ||
      /^-(?:compu|cn(?::|$)|cims)/i.test(word),
  )
  return remote === undefined ? null : `${remote} is on another machine, which would be sent a sign-in`
}

/** `Env:x` and `FileSystem::x`, also glued to the parameter: `-Path:Env:x`. */
const isProvider = (word: string): boolean => /^\S*::|^(?!https?:)[a-z]{2,}:/i.test(word.replace(/^-[a-z]+:/i, ''))

const DELETERS = /^(?:remove-item|ri|rm|rmdir|rd|del|erase)$/
const TAKES_PLACES = /^(?:remove-item|ri|rm|rmdir|rd|del|erase|icacls|cacls|takeown|sdelete(?:64)?|cipher)$/
const LISTERS = /^(?:get-childitem|gci|ls|dir|get-item|gi)$/
const SAYERS = /^(?:write-output|write|echo)$/
const MOST_SINKS = 8
const LONGEST_LOOK = 8 * 1024
const DISK_WIPERS =
  /^(?:format-volume|clear-disk|initialize-disk|remove-partition|reset-physicaldisk|remove-virtualdisk|remove-storagepool|mkfs(?:\.\w+)?|wipefs)$/
const RUNNERS =
  /^(?:invoke-(?:expression|command|item|wmimethod|cimmethod|history)|iex|icm|ii|ihy|r|start-(?:process|job|threadjob|service)|saps|start|sajb|foreach-object|foreach|%|powershell|powershell_ise|pwsh|cmd|wsl|bash|sh|zsh|wscript|cscript|mshta|rundll32|regsvr32|msiexec|certutil|bitsadmin|forfiles|schtasks|wmic|runas|sudo|env|xargs|py|add-type|new-object|import-module|ipmo|(?:set|new)-alias|sal|nal|register-\w+|set-executionpolicy|new-pssession|enter-pssession|etsn|nsn|measure-command|trace-command)$/
/** Commands whose paths may name a provider instead of a file: `Env:`, `HKLM:`, `FileSystem::C:`. */
const FILE_COMMANDS =
  /^(?:[a-z]+-(?:child|content|item|location|path|string|filehash|acl)\w*|ls|dir|gci|cat|gc|type|gi|gp|cd|sl|sls)$/
const WRITERS =
  /^(?:tee-object|tee|out-file|out-printer|set-content|sc|add-content|ac|export-(?:csv|clixml|alias)|epcsv|epal|start-(?:transcript|bitstransfer)|save-help)$/
/** A parameter may be cut short: `-OutF`. */
const WRITING_OPTIONS: readonly { readonly program: RegExp; readonly option: RegExp }[] = [
  {
    program: /^(?:invoke-webrequest|iwr|invoke-restmethod|irm|curl|wget)$/,
    option: /^-(?:o|inf|in(?::|$)|sess|usedef|proxyu)/i,
  },
  { program: /^sort$/, option: /^\/[ot]/i },
  { program: /^(?:tasklist|systeminfo|driverquery)$/, option: /^\/s$/i },
  { program: /^(?!test-)[a-z]+-\w+$/, option: /^-(?:compu\w*|cn)(?::|$)/i },
  { program: /^robocopy$/, option: /^\/(?:mir|purge|move?|job|save|unilog|log)/i },
]
const FORK_BOMB =
  /(?:while\s*\(\s*(?:\$true|1)\s*\)|for\s*\(\s*;\s*;\s*\))\s*\{[^}]*\b(?:start|saps|start-process|start-job)\b[^}]*\b(?:powershell|pwsh|cmd)/i

const GRAVE: readonly { readonly program: RegExp; readonly words?: RegExp; readonly why: string }[] = [
  {
    program: /^(?:stop|restart)-computer$|^shutdown$|^logoff$/,
    words: /^(?!.*(?:\/\?|--help)).*$/s,
    why: 'stops the machine',
  },
  { program: /^(?:invoke-expression|iex)$/, why: 'runs text as a program' },
  { program: /^clear-(?:content|item|recyclebin|eventlog|history)$/, why: 'empties what it names' },
  {
    program:
      /^(?:remove|uninstall)-(?!item$|variable$|alias$|job$|module$|psdrive$|psbreakpoint$|typedata$|event$)\w+$/,
    why: 'removes what it names',
  },
  { program: /^(?:stop-process|spps|taskkill)$/, words: /\*|-name|\/im|-force|\/f/i, why: 'ends programs' },
  { program: /^(?:set-executionpolicy|set-mppreference|disable-\w+)$/, why: 'turns a protection off' },
  { program: /^reg$/, words: /^delete\b/i, why: 'deletes from the registry' },
  { program: /^vssadmin$/, words: /\bdelete\b/i, why: 'deletes backups' },
  { program: /^(?:bcdedit|diskpart|diskraid|fdisk)$/, why: 'changes how the machine starts or its disks' },
  { program: /^wbadmin$/, words: /\bdelete\b/i, why: 'deletes backups' },
]

function commandOf(argv: readonly string[]): { name: string; rest: readonly string[] } {
  const [program = '', ...rest] = argv
  // Path, module prefix and .exe are not part of what a command is.
  const name = program.slice(Math.max(program.lastIndexOf('\\'), program.lastIndexOf('/')) + 1)
  return { name: name.toLowerCase().replace(/\.(?:exe|cmd|bat)$/, ''), rest: rest.flatMap(word => word.split(',')) }
}

const isRecursive = (word: string): boolean =>
  /^-r(?:e(?:c(?:u(?:r(?:s(?:e)?)?)?)?)?)?(?::\$true)?$/i.test(word) ||
  /^-(?:rf|fr|Rf|rfv)$/.test(word) ||
  /^(?:\/[a-z])*\/s(?:\/[a-z])*$/i.test(word)
const isWhatIf = (word: string): boolean => /^-(?:wh|wha|what|whati|whatif|wi)$/i.test(word)

function firstOf(line: string, tier: (argv: readonly string[]) => string | null, effort: Effort): string | null {
  if (!effort.spend(line.length)) return null
  for (const { argv } of seenInPowerShell(line)) {
    const found = tier(argv)
    if (found) return found
  }
  return null
}

/** What looking at a command and at a word of it costs, in steps. */
const COMMAND = 48
const WORD = 8
const MOST_NESTED = 4
// Nobody writes a command inside a command longer than this; a longer one needs approval.
const MOST_WORDS = 400
const LONGEST_INNER = 4096
const MOST_STARTS = 6

/** What a shell inside the line is given to run. */
function innerText(name: string, rest: readonly string[]): string | null {
  return wholeInnerText(name, rest.slice(0, MOST_WORDS))?.slice(0, LONGEST_INNER) ?? null
}

function wholeInnerText(name: string, rest: readonly string[]): string | null {
  if (/^(?:invoke-expression|iex|start-process|saps|start|sudo)$/.test(name))
    return rest.filter(word => !/^-(?:verb|wait|command|filepath|argumentlist)$/i.test(word)).join(' ')
  if (name === 'schtasks') return rest[rest.findIndex(word => /^\/tr$/i.test(word)) + 1] ?? null
  if (name === 'cmd') {
    const at = rest.findIndex(word => /^\/[ck]$/i.test(word))
    return at < 0 ? null : rest.slice(at + 1).join(' ')
  }
  if (name !== 'powershell' && name !== 'pwsh') return null
  const encoded = rest.findIndex(word => /^[-/]e(?:c|nc|ncodedcommand)?$/i.test(word))
  if (encoded >= 0) return Buffer.from(rest[encoded + 1] ?? '', 'base64').toString('utf16le')
  const command = rest.findIndex(word => /^[-/]c(?:o(?:m(?:m(?:a(?:n(?:d)?)?)?)?)?)?$/i.test(word))
  if (command >= 0) return rest.slice(command + 1).join(' ')
  // Which options take a value we need not know: every plain word may be the first of the command.
  return rest
    .slice(0, MOST_STARTS)
    .flatMap((word, i) => (word.startsWith('-') ? [] : [rest.slice(i).join(' ')]))
    .join('\n')
}
