import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DiskTree, type Given } from './drivers/judged-on-disk.ts'
import { needs, skipWithout } from './drivers/needs.ts'

/** What a reading tool really does with its words, where that is not what they look like. */
let disk: DiskTree
beforeEach(() => {
  disk = new DiskTree()
  disk
    .write({
      'app/README.md': 'x',
      'app/.env': 'KEY=1',
      'app/id_rsa': 'KEY',
      'app/src/a.ts': 'x',
      'app/docs/a.md': 'x',
      'app/.git/HEAD': 'ref: refs/heads/main\n',
      'app/.git/config': '',
    })
    .directory('app/.git/objects')
    .directory('app/.git/refs')
})
afterEach(() => disk.remove())

const BOUND: Given = { workspace: { directory: 'app', trusted: false } }
const judged = (command: string, given: Given = BOUND) =>
  (['interactive', 'headless'] as const).map(lane => disk.judges(command, 'app', { ...given, lane }).verdict)
const ASKED = ['approval', 'blocked']
const RUNS = ['auto', 'auto']

describe('awk starts no program, writes nothing and reads nothing else', () => {
  test.each([
    `awk 'BEGIN{x=1system("id")}'`,
    `awk 'BEGIN{x=0xfsystem("id")}'`,
    `awk 'BEGIN{print 1ENVIRON["HOME"]}'`,
    `awk '{ if (0) exit /"/; print "x" | "id"; z = /"/ }' README.md`,
    `awk '{ x = length /"/; print "x" | "id"; z = /"/ }' README.md`,
    `awk 'BEGIN{a=1; print a \\\n/ 2 > "out"; b = 1 / 1}'`,
    `awk '/[\\]/"]/; {print "x" | "id"}; /"/' README.md`,
    `awk '/[[:]/"]/; {print "x" | "id"}; /"/' README.md`,
    `awk '/[]/"]/; {print "x" | "id"}; /"/' README.md`,
  ])('%s needs approval', command => {
    expect(judged(command)).toEqual(ASKED)
    expect(judged(command, { workspace: null, patterns: ['awk *'] })[0]).toBe(
      command.includes('ENVIRON') ? 'auto' : 'approval',
    )
  })

  test.each([
    `awk '{print $1/2}' README.md`,
    `awk '/[[:space:]]x\\/y/ {n++} END {print n/NR}' README.md`,
    `awk '/[\\t ]x/' README.md`,
    `awk 'length($0) > 80 {print FILENAME": "NR}' README.md`,
  ])('%s runs unasked', command => {
    expect(judged(command)).toEqual(RUNS)
  })
})

describe('what reads a file before it prints its version is a read', () => {
  test.each([
    'grep x README.md -f ../notes.txt --version',
    'grep x -f .env --help',
    'hexdump README.md --format-file=id_rsa --version',
    'date -f .env --version',
  ])('%s needs approval', command => {
    expect(judged(command)).toEqual(ASKED)
  })

  test.for(['grep --version', 'hexdump --help', 'sort --version'])('%s runs unasked', (command, { skip }) => {
    skipWithout(skip, command.split(' ')[0] ?? '')
    expect(judged(command)).toEqual(RUNS)
  })
})

describe('a wildcard that becomes two words brings a file behind an option that takes one', () => {
  test.each(['paste -s -d *.md --', 'tr -d *.md', 'head -n *.md'])('%s needs approval', command => {
    disk.write({ 'app/second.md': 'token: ghp_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' })
    expect(disk.judges(command, 'app', BOUND).verdict).toBe('approval')
    expect(disk.judges(command, 'app', { workspace: null }).verdict).toBe('approval')
  })

  test('as long as it stays one word it is a value', () => {
    expect(disk.judges('tr [a-z] [A-Z]', 'app', BOUND).verdict).toBe('auto')
  })
})

test('file -d, which prints for minutes, needs approval; file does not', needs('file'), () => {
  expect([judged('file -d README.md'), judged('file README.md')]).toEqual([ASKED, RUNS])
})

describe('printf sets no variable', () => {
  test.each([
    `printf '12345%n' PATH; ls`,
    `printf '%5s%ln' x PATH; ls`,
    `printf -- '%-*n' 3 CDPATH; cd src`,
    `printf '%%%n' HOME; pwd`,
  ])('%s needs approval', command => {
    expect(disk.judges(command, 'app', BOUND).verdict).toBe('approval')
    expect(disk.judges(command, 'app', { workspace: null, patterns: ['printf *', 'ls *'] }).verdict).toBe('approval')
  })

  test.each([`printf '%d%%\\n' 5`, `printf '%%n'`, `printf 'a\\n%s' b`])('%s runs unasked', command => {
    expect(judged(command)).toEqual(RUNS)
  })
})

describe('what a tool takes for a file is looked at as one', () => {
  test.each([
    'xxd -ps /etc/hostname',
    'xxd -ps .env',
    'xxd -us .env',
    'strings @README.md',
    'strings -n 5 @README.md',
    'diff -rN --from-file=. src',
    'diff -r --to-file . src',
    'tree -Ll 2 src',
    'tree -PL x 2',
    "cat '[^i]d_rsa' [^i]d_rsa",
    'rg KEY < src',
    'wc < src',
    'true | rg KEY < /dev/null',
    'true | rg KEY < README.md',
    `date -d 'TZ="/etc/passwd" now'`,
    "jq -n 'env'",
    "jq '.a|env' README.md",
    'jq \'import "a" as a; 1\' README.md',
  ])('%s needs approval', command => {
    expect(judged(command)).toEqual(ASKED)
  })

  test.each([
    'xxd -ps README.md',
    'xxd -l64 -c 16 README.md',
    'tree -aL 2',
    'tree -L2 src',
    'strings -n 5 README.md',
    'jq .include README.md',
  ])('%s runs unasked', command => {
    expect(disk.judges(command, 'app', BOUND).verdict).toBe('auto')
  })
})

test.each(['nm @x', 'objdump -d @x', 'ruff check @x'])(
  '%s takes options from a file, which no open rule covers',
  command => {
    const patterns = ['nm *', 'objdump *', 'ruff check *']
    expect(disk.judges(command, 'app', { workspace: { directory: 'app', trusted: true }, patterns }).verdict).toBe(
      'approval',
    )
  },
)

describe('a search opens what it opens', () => {
  test('grep: the last pattern that fits counts, and the first says what happens without one', () => {
    expect(judged('grep -rn --exclude=x --include=*.ts --exclude-dir=.git KEY .')).toEqual(ASKED)
    expect(judged('grep -rn --exclude-from=README.md --include=*.ts --exclude-dir=.git KEY .')).toEqual(ASKED)
    expect(judged('grep -rn --include=*.ts --exclude=x --exclude-dir=.git KEY .')).toEqual(RUNS)
  })

  const hidden = () => {
    disk.write({ 'lib/a.ts': 'x', 'lib/.env': 'KEY', 'lib/.hid/token': 'KEY', 'lib/.git/HEAD': 'x' })
    return (command: string) => disk.judges(command, 'lib', { workspace: { directory: 'lib', trusted: false } }).verdict
  }

  test.each(['.gitignore', '.ignore', '.rgignore', '.git/info/exclude'])(
    'rg: a line in %s that takes a hidden file out again',
    file => {
      const judge = hidden()
      expect(judge('rg KEY')).toBe('auto')
      disk.write({ [`lib/${file}`]: '!.en[v]\n' })
      expect(judge('rg KEY')).toBe('approval')
      disk.write({ [`lib/${file}`]: `${'#\n'.repeat(3000)}!.env\n` })
      expect(judge('rg KEY')).toBe('approval')
    },
  )

  test.each(["rg -g '*' KEY", "rg -g '**' KEY", "rg -g '.hid' -g 'token' KEY", "rg --type-add 'x:*.env' -tx KEY"])(
    '%s: what is asked for by name is opened although it is hidden',
    command => {
      const judge = hidden()
      disk.write({ 'lib/.env': '' })
      expect(judge(command)).toBe('approval')
    },
  )

  test('rg: what git ignores is left out only where there is a repository, and only by a line that is read for sure', () => {
    const judge = hidden()
    disk.write({ 'lib/server.pem': 'KEY', 'lib/.gitignore': '*.pem\n' })
    expect(judge('rg KEY')).toBe('auto')
    disk.write({ 'lib/.gitignore': '[x]erver.pem\n' })
    expect(judge('rg KEY')).toBe('approval')
    disk.write({ 'bare/server.pem': 'KEY', 'bare/.gitignore': '*.pem\n' })
    expect(disk.judges('rg KEY', 'bare', { workspace: { directory: 'bare', trusted: false } }).verdict).toBe('approval')
  })

  test.each(["rg -n foo -g '*.{ts,tsx}'", "rg foo -g 'src/**/*.ts'", "rg foo -g 'src/**'", 'rg -tts foo src'])(
    '%s runs unasked',
    command => {
      expect(disk.judges(command, 'app', BOUND).verdict).toBe('auto')
    },
  )
})
