import { programName } from '../destructive/unwrap.ts'
import { type ArgWords, operandsOf } from './effect-row.ts'

/** A program that changes files, and which of its words name them. The examples are checked by a test. */
export interface WriterRow {
  readonly program: RegExp
  readonly targets: (words: ArgWords) => readonly (string | undefined)[]
  /** name: a link is changed itself, and not what it leads to. */
  readonly changes: 'name' | 'content'
  readonly examples: { readonly [line: string]: readonly string[] }
}

const all = (values: string) => (words: ArgWords) => operandsOf(words, values)
const afterMode = (words: ArgWords) =>
  operandsOf(words).slice(words.some(word => word.startsWith('--reference')) ? 0 : 1)
const behind = (option: RegExp) => (words: ArgWords) =>
  words.filter((_, i) => i > 0 && option.test(words[i - 1] as string))

/** `cp a b dir`, `cp -t dir a b` */
const into =
  (values: string) =>
  (words: ArgWords): (string | undefined)[] => {
    const given =
      behind(/^(?:-[a-zA-Z]*t|--target-directory)$/)(words)[0] ??
      words.map(word => /^--target-directory=(.+)$/.exec(word)?.[1]).find(Boolean)
    const operands = operandsOf(words, values)
    return [given ?? (operands.length > 1 ? operands.at(-1) : undefined)]
  }

export const WRITERS: readonly WriterRow[] = [
  {
    program: /^(rm|rmdir|unlink|rimraf)$/,
    targets: all(''),
    changes: 'name',
    examples: { 'rm -f ../a b': ['../a', 'b'], 'rm -- -x': ['-x'] },
  },
  {
    program: /^mv$/,
    targets: all('-t -S --suffix'),
    changes: 'name',
    examples: { 'mv /srv/a .': ['/srv/a', '.'] },
  },
  {
    program: /^(cp|install)$/,
    targets: into('-m -o -g -S --mode --owner --group --suffix'),
    changes: 'content',
    examples: { 'cp a /etc': ['/etc'], 'install -m 755 a /usr/bin/a': ['/usr/bin/a'], 'cp -t /srv a b': ['/srv'] },
  },
  {
    program: /^ln$/,
    targets: into('-S --suffix'),
    changes: 'name',
    examples: { 'ln -s /etc/hosts hosts': ['hosts'], 'ln -s a /usr/bin/a': ['/usr/bin/a'] },
  },
  {
    program: /^(tee|touch|mkdir|truncate|shred|sponge|mkfifo)$/,
    targets: all('-d -t -r -m -s --date --reference --mode --size'),
    changes: 'content',
    examples: { 'tee -a /etc/hosts': ['/etc/hosts'], 'mkdir -p -m 700 ~/.ssh': ['~/.ssh'], 'touch a': ['a'] },
  },
  {
    program: /^(chmod|chown|chgrp|chattr)$/,
    targets: afterMode,
    changes: 'content',
    examples: { 'chmod +x /srv/a': ['/srv/a'], 'chown -R ada ../b': ['../b'] },
  },
  {
    program: /^dd$/,
    targets: words => words.flatMap(word => /^of=(.+)$/.exec(word)?.[1] ?? []),
    changes: 'content',
    examples: { 'dd if=a of=/srv/b': ['/srv/b'] },
  },
  {
    program: /^(sed|perl)$/,
    targets: words =>
      words.some(word => /^-[a-zA-Z0-9]*i|^--in-place/.test(word))
        ? operandsOf(words, '-e -f').slice(given(words))
        : [],
    changes: 'content',
    examples: { "sed -i 's/a/b/' /etc/hosts": ['/etc/hosts'], "sed 's/a/b/' /etc/hosts": [] },
  },
  {
    program: /^curl$/,
    targets: behind(/^(?:-[a-zA-Z#]*o|--output|--output-dir)$/),
    changes: 'content',
    examples: { 'curl -fsSLo /usr/bin/a https://a.example': ['/usr/bin/a'], 'curl https://a.example': [] },
  },
  {
    program: /^wget$/,
    targets: behind(/^(?:-[a-zA-Z]*[OP]|--output-document|--directory-prefix)$/),
    changes: 'content',
    examples: { 'wget -O ~/a https://a.example': ['~/a'] },
  },
  {
    program: /^(b?sd)?tar$/,
    targets: words =>
      words.some((word, i) => /^-[a-zA-Z]*x|^--extract/.test(i === 0 ? word.replace(/^-?/, '-') : word))
        ? behind(/^(?:-C|--directory)$/)(words)
        : [],
    changes: 'content',
    examples: { 'tar -xzf a.tgz -C /opt': ['/opt'], 'tar -czf a.tgz -C /opt x': [] },
  },
  {
    program: /^unzip$/,
    targets: behind(/^-d$/),
    changes: 'content',
    examples: { 'unzip a.zip -d /opt': ['/opt'] },
  },
  {
    program: /^rsync$/,
    targets: words =>
      operandsOf(words, '-e --rsh --exclude --include -f --filter')
        .slice(-1)
        .filter(word => !word.includes(':')),
    changes: 'content',
    examples: { 'rsync -a dist/ /srv/www': ['/srv/www'], 'rsync -a dist/ prod:www': [] },
  },
]

/** The script of `sed` comes before its files, unless an option gives it. */
const given = (words: ArgWords): number => (words.some(word => /^(?:-[a-zA-Z]*e|--expression|-f)/.test(word)) ? 0 : 1)

export interface WriteTarget {
  readonly path: string
  readonly changes: WriterRow['changes']
}

/** The files one command would change, as it names them. */
export function writeTargets(argv: readonly string[], rows: readonly WriterRow[] = WRITERS): WriteTarget[] {
  const [program = '', ...words] = argv
  const row = rows.find(each => each.program.test(programName(program)))
  if (!row || words.some(word => /^--(?:help|version)$/.test(word))) return []
  return row.targets(words).flatMap(path => (path ? [{ path, changes: row.changes }] : []))
}
