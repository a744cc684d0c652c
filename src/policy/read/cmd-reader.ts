import type { LineReading, SimpleCommand } from '../model/reading.ts'

/**
 * Reads a cmd line that is one plain command: words of harmless characters, or one pair of quotes around a whole word.
 * cmd expands %x% and !x! even inside quotes, and every program splits its command line in its own way, so anything else
 * makes it give up. Pure.
 */
export function readCmd(line: string): LineReading {
  const words = [...line.matchAll(/"[^"]*"|[^ "]+/g)]
  const command: SimpleCommand = {
    argv: words.map(({ 0: word }) => word.replaceAll('"', '')),
    start: words[0]?.index ?? 0,
    end: words.at(-1) ? (words.at(-1)?.index ?? 0) + (words.at(-1)?.[0].length ?? 0) : 0,
    globs: words.flatMap(({ 0: word }, i) => (/[*?]/.test(word) ? [i] : [])),
  }
  const problem = whyNotPlain(line, command.argv)
  return problem === null ? { commands: [command] } : { gaveUp: problem, seen: seenInCmd(line) }
}

const PLAIN_LINE = /^ *(?:[\w./\\:+*?@~#-]+|"[\w./\\:+@~# -]+")(?: +(?:[\w./\\:+*?@~#-]+|"[\w./\\:+@~#, -]+"))* *$/

function whyNotPlain(line: string, argv: readonly string[]): string | null {
  const [program = ''] = argv
  if (program === '') return 'no command'
  if (/[&|<>^%!()\n\r]/.test(line)) return 'a character that cmd reads in its own way'
  if (!PLAIN_LINE.test(line)) return 'a word that cmd or the program may split in another way'
  if (argv.some(word => /^(?:[-/]\w+:)?(?:\\\\|\/\/)/.test(word))) return 'a place on another machine'
  // A backslash before the closing quote escapes it for most programs.
  if (/\\"/.test(line)) return 'a backslash before a quote'
  // cmd also runs `echo.x`, `cd\\x` and `dir/s` as the built-in before the mark, and `@x`, `:x` are not programs.
  if (!/^[A-Za-z_][\w-]*(?:\.(?:exe|com))?$/.test(program)) return 'a program that is not named by a plain word'
  if (
    /^(?:if|for|call|start|rem|goto|set|setlocal|endlocal|exit|cmd|pushd|popd|path|prompt|assoc|ftype|shift)$/i.test(
      program,
    )
  )
    return `${program}, which is part of cmd itself`
  return null
}

const LONGEST = 4 * 1024

/** Wherever a command could begin, the words from there on: for the destructive rules, never for approval. */
function seenInCmd(line: string): SimpleCommand[] {
  const commands: SimpleCommand[] = []
  for (const { 0: piece, index } of line.slice(0, LONGEST).matchAll(/(?:"[^"\n]*"|[^&|()\n\r"])+/g)) {
    const words = [...piece.replaceAll('^', '').matchAll(/"[^"]*"|[^ \t,;="@<>]+/g)].map(({ 0: word }) =>
      word.replaceAll('"', ''),
    )
    for (const argv of [words, ...behindKeyword(words)])
      if (argv.length > 0) commands.push({ argv: apart(argv), start: index, end: index + piece.length, globs: [] })
  }
  return commands
}

/** `if exist x rd y`, `call rd y`, `do rd y`: the command follows them, at a word that need not be known exactly. */
const behindKeyword = (words: readonly string[]): string[][] =>
  /^(?:if|call|do|else|start|for)$/i.test(words[0] ?? '')
    ? words.slice(1, MOST_STARTS).map((_, i) => words.slice(i + 1))
    : []
const MOST_STARTS = 8

/** `rd/s/q x` */
const apart = ([program = '', ...rest]: readonly string[]): string[] => [
  ...(/^[a-z]+(?:\/[a-z])+$/i.test(program) ? program.replaceAll('/', ' /').split(' ') : [program]),
  ...rest,
]
