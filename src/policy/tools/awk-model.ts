import { inspectOptions, type Operand } from '../model/option-model.ts'
import { type ToolTable, tools } from '../model/tool-model.ts'

/** `awk` is a language: a program that can start a command, open a file for writing or load code is a hazard. */
export const AWK: ToolTable = tools('awk gawk mawk nawk original-awk', {
  globs: 'after_text',
  inspect: (argv, start) => {
    const hazards = [...OPTIONS(argv, start)]
    const program = firstOperand(argv, start)
    if (program && !isHarmlessProgram(program.text))
      hazards.push({ at: program.at, why: 'its program may run a command or write a file' })
    return hazards
  },
})

const OPTIONS = inspectOptions({
  options:
    '-F= -v= --field-separator= --assign= --posix --traditional --re-interval --csv -k --version --help --lint? -t --lint-old -n --non-decimal-data -N --use-lc-numeric -b --characters-as-bytes -S --sandbox',
  hazards: {
    '-f= --file= -E= --exec=': 'takes its program from a file',
    '-i= --include= -l= --load=': 'loads code',
    '-e= --source=': 'adds more program text',
    '-o? --pretty-print? -p? --profile? -d? --dump-variables?': 'writes a file',
    '-D? --debug? -W=': 'changes how it runs',
  },
  unlisted: 'closed',
  order: 'options_first',
})

function firstOperand(argv: readonly string[], start: number): Operand | null {
  for (let at = start; at < argv.length; at += 1) {
    const word = argv[at] as string
    if (word === '--') return at + 1 < argv.length ? { at: at + 1, text: argv[at + 1] as string } : null
    if (/^(-F|-v|--field-separator|--assign)$/.test(word)) at += 1
    else if (!word.startsWith('-') || word === '-') return { at, text: word }
  }
  return null
}

/** A number may stand right before a word: `1system("x")` calls it. */
const FORBIDDEN_WORDS = /\b(?:\d\w*)?(?:system|getline|close|fflush|extension)\b|@/

export function isHarmlessProgram(program: string): boolean {
  if (FORBIDDEN_WORDS.test(program) || program.length > 4000) return false
  const code = withoutTexts(program)
  if (code === null) return false
  if (/\|(?!\|)/.test(code.replace(/\|\|/g, ''))) return false
  // `print a > "file"` writes; `$3 > 5 { … }` compares. The redirection stands in a print statement, the comparison does not.
  return !code.split(/[;}]/).some(statement => /\b(?:\d\w*)?printf?\b.*>/s.test(statement))
}

/** Takes strings, regular expressions and comments out. Gives up where it cannot tell a division from a regular expression. */
function withoutTexts(program: string): string | null {
  let code = ''
  for (let at = 0; at < program.length; ) {
    const rest = program.slice(at)
    const char = rest[0] as string
    const slash = char === '/' ? slashAfter(code) : null
    // A backslash out here joins two lines, and what a slash behind it means hangs on the line before.
    if (slash === 'unclear' || char === '\\') return null
    const text =
      char === '"' ? STRING.exec(rest) : char === '#' ? COMMENT.exec(rest) : slash === 'regex' ? REGEX.exec(rest) : null
    if (!text && (char === '"' || slash === 'regex')) return null
    code += text ? ' 0 ' : char
    at += text?.[0].length ?? 1
  }
  return code
}

const STRING = /^"(?:[^"\\\n]|\\[^\n])*"/
const COMMENT = /^#[^\n]*/
/** Awks differ on where a bracket ends that has a bracket, a slash or an escaped one of them in it. */
const REGEX = /^\/(?:[^/\\\n[]|\\[^\n]|\[\^?(?:\[:[a-z]+:\]|\\[^\][\\\n/]|[^\][\\\n/])+\])+\//

/** A division follows a value, a regular expression everything else; behind a bracket it can be either. */
function slashAfter(code: string): 'regex' | 'division' | 'unclear' {
  const [, before = '', blank = ''] = /(\w+|\S|)(\s*)$/.exec(code) ?? []
  if (before === '' || blank.includes('\n')) return 'regex'
  if (/^(?:print|printf|return|in|else|do|case)$/.test(before)) return 'regex'
  if (/^[)$+-]$/.test(before) || OWN_WORDS.test(before)) return 'unclear'
  return /[\w\].]$/.test(before) ? 'division' : 'regex'
}

/** Words of the language, also with a number before them: not all awks take them for a value. */
const OWN_WORDS =
  /^(?:\d\w*)?(?:BEGIN|END|BEGINFILE|ENDFILE|and|asort|asorti|atan2|bindtextdomain|break|compl|continue|cos|dcgettext|dcngettext|default|delete|exit|exp|func|function|gensub|gsub|if|index|int|isarray|length|log|lshift|match|mkbool|mktime|next|nextfile|or|patsplit|print|printf|rand|return|rshift|sin|split|sprintf|sqrt|srand|strftime|strtonum|sub|substr|switch|systime|tolower|toupper|typeof|while|for|in|else|do|case|xor)$/
