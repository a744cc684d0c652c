import { inspectOptions, type Operand } from '../model/option-model.ts'
import { type ToolTable, tools } from '../model/tool-model.ts'

/** `sed` is judged by its script: a command that runs a program or touches a file is a hazard, and so is one we cannot read. */
export const SED: ToolTable = tools('sed gsed', {
  globs: 'after_text',
  inspect: (argv, start) => {
    const scripts: Operand[] = []
    for (let at = start; at < argv.length; at += 1) {
      const word = argv[at] as string
      if (word === '--') break
      const glued = /^(?:-[nErusz]*e|--expression=)(.+)$/s.exec(word)
      if (/^-[nErusz]*e$|^--expression$/.test(word)) scripts.push({ at: at + 1, text: argv[at + 1] ?? '' })
      else if (glued) scripts.push({ at, text: glued[1] ?? '' })
    }
    const table = OPTIONS(argv, start)
    // Where options end at the first operand, that one is the script, whatever `-e` comes behind it.
    const first = firstOperand(argv, start)
    if (first && scripts.every(({ at }) => first.at < at)) scripts.push(first)
    return [
      ...table,
      ...scripts.flatMap(({ at, text }) =>
        isHarmlessScript(text) ? [] : [{ at, why: 'its script may write, run or read a file' }],
      ),
    ]
  },
})

const OPTIONS = inspectOptions({
  options:
    '-n -E -r -u -z -s -l= -e= --quiet --silent --regexp-extended --unbuffered --null-data --zero-terminated --separate --line-length= --expression= --debug --posix --sandbox --help --version',
  hazards: {
    '-i? --in-place? -I?': 'writes the files it reads',
    '-f= --file=': 'takes its script from a file',
    '-c --copy --follow-symlinks -b --binary': 'changes how it writes files',
  },
  unlisted: 'closed',
})

function firstOperand(argv: readonly string[], start: number): Operand | null {
  for (let at = start; at < argv.length; at += 1) {
    const word = argv[at] as string
    if (word === '--') return at + 1 < argv.length ? { at: at + 1, text: argv[at + 1] as string } : null
    if (/^(?:-[nErusz]*[el]|--expression|--line-length)$/.test(word)) at += 1
    else if (!word.startsWith('-') || word === '-') return { at, text: word }
  }
  return null
}

/** Reads a sed script command by command. Anything it does not know makes it harmful. */
export function isHarmlessScript(script: string): boolean {
  let rest = script
  for (let steps = 0; steps < 500; steps += 1) {
    rest = rest.replace(/^[\s;{}]+/, '')
    if (rest === '') return true
    const after = afterCommand(afterAddresses(rest))
    if (after === null) return false
    rest = after
  }
  return false
}

/** `\#…#` and its kin, where nothing inside is special to one sed and plain to another. */
const OTHER_ADDRESS = String.raw`\\(?:#[^#\\\[\n]*#|\|[^|\\\[\n]*\||,[^,\\\[\n]*,|@[^@\\\[\n]*@|%[^%\\\[\n]*%)[IM]*`
const ADDRESS = String.raw`(?:\d+(?:~\d+)?|\$|${OTHER_ADDRESS}|/(?:[^/\\\n\[]|\\[^\n]|\[\^?(?:\[:[a-z]+:\]|[^\]\[\n/\\])+\])*/[IM]*)`
const ADDRESSES = new RegExp(String.raw`^${ADDRESS}(?:\s*,\s*(?:${ADDRESS}|[+~]\d+))?\s*`)

const afterAddresses = (text: string): string => text.replace(ADDRESSES, '').replace(/^\s*!?\s*/, '')

function afterCommand(text: string): string | null {
  const command = text[0] ?? ''
  const rest = text.slice(1)
  if (command === '{' || command === '}') return rest
  if (/[pdDnNPhHgGxzF=]/.test(command)) return closed(rest)
  if (/[qQlL]/.test(command)) return closed(rest.replace(/^[ \t]*\d*/, ''))
  if (/[btT]/.test(command)) return closed(rest.replace(/^[ \t]*[\w.-]*/, ''))
  if (command === ':') return closed(rest.replace(/^[ \t]*[\w.-]+/, ''))
  if (command === '#') return rest.replace(/^[^\n]*/, '')
  // One-line forms of a, i and c swallow the rest of the line as text.
  if (/[aic]/.test(command)) return /^[ \t]*\\?[^\n\\]*$/.test(rest) ? '' : null
  if (command === 's' || command === 'y') return afterSubstitution(command, rest)
  return null
}

/** A command ends at `;`, `}`, a line break or the end; whatever else follows is something we did not understand. */
function closed(rest: string): string | null {
  return /^[ \t]*(?:[;}\n#]|$)/.test(rest) ? rest.replace(/^[ \t]*/, '') : null
}

function afterSubstitution(command: string, rest: string): string | null {
  const delimiter = rest[0]
  if (delimiter === undefined || /[\\\n\s\w]/.test(delimiter)) return null
  const left = part(rest, 1, delimiter)
  const right = left === null ? null : part(rest, left + 1, delimiter)
  if (right === null) return null
  const tail = rest.slice(right + 1)
  const flags = command === 's' ? /^[gpiIMm0-9]*/.exec(tail) : /^/.exec(tail)
  return closed(tail.slice(flags?.[0].length ?? 0))
}

/** The index of the delimiter that closes a part. Seds differ on brackets, so only plain ones without a delimiter are accepted. */
function part(text: string, from: number, delimiter: string): number | null {
  for (let at = from; at < text.length; at += 1) {
    const char = text[at]
    if (char === '\\') at += 1
    else if (char === delimiter) return at
    else if (char === '\n') return null
    else if (char === '[') {
      const [bracket] = BRACKET.exec(text.slice(at, at + 200)) ?? []
      if (bracket === undefined || bracket.replace(/\\./g, '').includes(delimiter)) return null
      at += bracket.length - 1
    }
  }
  return null
}

const BRACKET = /^\[(?!\^?\])\^?(?:\[:[a-z]+:\]|\\[^\n\]]|[^\][\n\\])+\]/
