// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text, not templates
import type { Trial } from './gate-under-test.ts'
import type { Random } from './random.ts'

/** What a shell treats in a special way, or a reader might: pieces that mutants are made of. */
// biome-ignore format: a table reads best as one
const PIECES = [
  ';', ';;', ';&', '&', '&&', '||', '|', '|&', '\n', '\\\n', '\r', '\r\n', '\t', '\v', '\f', '\b', '\x1b', '\x7f', '\x85', '\xa0', '\u2028', '\u200b', '\u202e', '\ufeff', '\u3000', '\x00', '\x01', '\x1c',
  '$', '${', '}', '$(', '`', ')', '(', '((', '))', '[[', ']]', '$((', '$[', '<(', '>(', '$\'', '$"', '\'', '"', '\\', '\\\\', '\\\'', '\\"', '\'\'', '""', '\'\\\'\'',
  '{', '{ ', ' }', '{a,b}', '{1..3}', ',', '..', '*', '?', '[', ']', '[a]', '[!a]', '@(a)', '!(a)', '+(a)', '*(a)', '?(a)', '~', '~/', '~root', '~+', '=', 'a=b', 'a+=b', 'a[0]=b', 'a=(b)', ' #', '#', ' #x\n', '!', '!!', '!$', '^', '%', ':', '-',
  '>', '>>', '>|', '<', '<>', '<<', '<<-', '<<<', '>&', '<&', '&>', '&>>', '2>&1', '1>&2', '>&-', '2>', '{fd}>', '>/dev/null', '2>/dev/null', '<<EOF\n', '\nEOF\n', "<<'E'\n", '$x', '$@', '$*', '$?', '$$', '$!', '$-', '$0', '$#', '${x}', '${x:-id}', '${#x}', '${!x}', '${x@P}', '"$x"', "$'\\x69'",
  ' ', '  ', ' -- ', ' - ', ' --', '-x', '--x=y', 'if', 'then', 'fi', 'for', 'in', 'do', 'done', 'while', 'until', 'case', 'esac', 'select', 'function', 'time', 'time -p', 'coproc', '!', 'f() ', '() ', 'é', 'ß', '🙂', 'а', '\u0301', '\ud800', '\\u0020', '\\x20', '\\t', '\\n', '%0a',
]
// biome-ignore format: a table reads best as one
const PAYLOADS = ['id', 'touch pwn', 'sh', 'rm -rf x', 'eval id', 'exec id', '. ./x', '/bin/id', './x', 'x=1', '>pwn', 'f() { id; }', 'command id', 'builtin echo', 'alias ls=id', 'trap id EXIT', 'cd /']
const JOINS = [
  ';',
  '; ',
  '\n',
  '&&',
  ' && ',
  '||',
  ' || ',
  '|',
  ' | ',
  '&',
  ' & ',
  '|&',
  ' #\n',
  '\\\n',
  '\n\n',
  ' ;\n',
  '\t;\t',
  '&&\n',
  '|\n',
]
const BLANKS = [
  '  ',
  '\t',
  '\\\n',
  ' \\\n ',
  '\n',
  '\v',
  '\f',
  '\r',
  '\xa0',
  '\u2003',
  '\\ ',
  '${IFS}',
  '$IFS',
  '+',
  '',
]

type Change = (trial: Trial, random: Random, seeds: readonly Trial[]) => string

const CHANGES: readonly Change[] = [
  ({ line }, random) => insert(line, random.below(line.length + 1), random.pick(PIECES)),
  ({ line }, random) => insert(line, wordBorder(line, random), random.pick(PIECES)),
  ({ line }, random) => {
    const at = random.below(line.length + 1)
    return line.slice(0, at) + line.slice(at + 1 + random.below(4))
  },
  ({ line }, random) => {
    const at = random.below(line.length + 1)
    return line.slice(0, at) + random.pick(PIECES) + line.slice(at + 1)
  },
  ({ line }, random, seeds) => {
    const other = random.pick(seeds).line
    return line.slice(0, random.below(line.length + 1)) + other.slice(random.below(other.length + 1))
  },
  ({ line }, random, seeds) => line + random.pick(JOINS) + random.pick(seeds).line,
  ({ line }, random) => line + random.pick(JOINS) + random.pick(PAYLOADS),
  ({ line }, random) => insert(line, random.below(line.length + 1), random.pick(JOINS) + random.pick(PAYLOADS)),
  ({ line }, random) =>
    insert(line, random.below(line.length + 1), random.pick(JOINS) + random.pick(PAYLOADS) + random.pick(JOINS)),
  ({ line }, random) => overWord(line, random, word => quoted(word, random)),
  ({ line }, random, seeds) => overWord(line, random, () => random.pick(random.pick(seeds).line.split(' '))),
  ({ line }, random) => overWord(line, random, word => `${word} ${word}`),
  ({ line }, random) => {
    const blanks = [...line.matchAll(/ /g)]
    const at = random.pick(blanks)?.index
    return at === undefined ? line : line.slice(0, at) + random.pick(BLANKS) + line.slice(at + 1)
  },
  ({ line }, random) => {
    const from = random.below(line.length + 1)
    const to = from + random.below(8)
    return insert(line, random.below(line.length + 1), line.slice(from, to))
  },
]

/** A new trial made from `seeds` by one to four changes. */
export function mutate(seeds: readonly Trial[], random: Random): Trial {
  const seed = random.pick(seeds)
  let line = seed.line
  const times = 1 + random.below(random.chance(2) ? 2 : 4)
  for (let i = 0; i < times; i++) line = random.pick(CHANGES)({ allowlist: seed.allowlist, line }, random, seeds)
  return { allowlist: seed.allowlist, line: line.slice(0, 1_500) }
}

function quoted(word: string, random: Random): string {
  const half = random.below(word.length + 1)
  const [head, tail] = [word.slice(0, half), word.slice(half)]
  return random.pick([
    `'${word}'`,
    `"${word}"`,
    `$'${word}'`,
    `$"${word}"`,
    `\\${word}`,
    `${head}''${tail}`,
    `${head}\\${tail}`,
    `${head}"${tail}"`,
    `'${head}'${tail}`,
    `${head}\\\n${tail}`,
    `${head}${'$@'}${tail}`,
    `{${head},${tail}}`,
    `$(${word})`,
    `\${${word}}`,
    `[${word}]`,
    `(${word})`,
    `{ ${word}; }`,
    `<(${word})`,
  ])
}

const insert = (line: string, at: number, piece: string): string => line.slice(0, at) + piece + line.slice(at)

function wordBorder(line: string, random: Random): number {
  return random.pick([...line.matchAll(/\b|(?= )|$/g)])?.index ?? 0
}

function overWord(line: string, random: Random, change: (word: string) => string): string {
  const word = random.pick([...line.matchAll(/[^ ]+/g)])
  return word ? line.slice(0, word.index) + change(word[0]) + line.slice(word.index + word[0].length) : line
}
