import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DiskTree, type Given } from './fakes/judged-on-disk.ts'

/** Names that `find -exec` and `xargs` hand to a reader, on a real disk: what becomes free with it, and what must not. */
let disk: DiskTree
beforeEach(() => {
  disk = new DiskTree()
  disk
    .write({
      'app/README.md': 'x',
      'app/package.json': '{}',
      'app/.env': 'KEY=1',
      'app/id_rsa': 'KEY',
      'app/.gitignore': 'node_modules\n*.log\n',
      'app/node_modules/a/index.ts': 'x',
      'app/node_modules/a/package.json': '{}',
      'app/src/a.ts': 'x',
      'app/src/b.ts': 'x',
      'app/lib/c.ts': 'x',
      'app/lib/config.json': '{"_authToken": "abcdefghijklmnop"}',
      'app/.git/HEAD': 'ref: refs/heads/main\n',
      'app/.git/config': '[core]\n\tbare = false\n',
      'outside/x.ts': 'x',
    })
    .directory('app/.git/objects')
    .directory('app/.git/refs')
})
afterEach(() => disk.remove())

const BOUND: Given = { workspace: { directory: 'app', trusted: false } }
const verdict = (command: string, given: Given = BOUND) => disk.judges(command, 'app', given).verdict

describe('names that are found are handed to a reader', () => {
  test.each([
    'find src -name "*.ts" -exec wc -l {} +',
    'find src -exec grep -l export {} \\;',
    'find src -type f -exec cat {} +',
    'find . -name "*.ts" -not -path "*/node_modules/*" -exec grep -n x {} +',
    'find . -name "*.ts" ! -path "./node_modules/*" -exec head -3 {} \\;',
    'find . -name node_modules -prune -o -name "*.ts" -exec wc -l {} +',
    'find . -path ./node_modules -prune -o -name "*.ts" -print | xargs wc -l',
    'find . -type d -name node_modules -prune -o -type f -name "*.ts" -print0 | xargs -0 grep -n x',
    'find . -maxdepth 1 -name "*.md" -exec wc -l {} +',
    'find src -name "*.ts" -exec grep -q x {} \\; -print',
    'find src -name "*.ts" -exec basename {} \\;',
    'find src lib -name "*.ts" | xargs wc -l | tail -1',
    'find src -name "*.ts" | grep -v test | sort | head -20 | xargs grep -n x',
    'find src -name "*.ts" | xargs -r -n 1 sed -n 1,5p',
    'find src -name "*.ts" | xargs -I{} head -2 {}',
    'find src -type f 2>/dev/null | xargs ls -la',
    'find . -name "*.ts" -not -path "*/node_modules/*" | xargs grep -n x 2>&1 | head',
    'cd src && find . -name "*.ts" | xargs wc -l',
    'for d in src; do find $d -name "*.ts" | xargs wc -l; done',
    'for d in src lib; do find $d -name "*.ts" -exec wc -l {} +; done',
    'grep -rl x src | xargs wc -l',
    'grep -rl x src --include="*.ts" | xargs grep -n y',
    'rg -l x src | xargs head -5',
    'rg --files src | xargs wc -l',
    'ls src | xargs -n1 echo',
  ])('%s runs unasked', command => {
    expect(verdict(command)).toBe('auto')
  })

  test.each([
    // secrets, what git ignores, git's own, outside
    'find . -name ".e*" -exec cat {} +',
    'find . -type f -exec cat {} +',
    'find . -type f | xargs cat',
    'find . -name "id_*" | xargs head',
    'find . -maxdepth 1 -type f -exec grep -n KEY {} +',
    'find . -not -name "*.ts" -exec cat {} +',
    'find . -name "*.ts" -o -name ".env" -exec cat {} +',
    'find . \\( -name "*.ts" -o -true \\) -exec cat {} +',
    'find . -name "*.ts" , -exec cat {} +',
    'find . ! -name "*.ts" ! -path "*/node_modules/*" | xargs cat',
    'find . -name "*.ts" -exec cat {} +',
    'find . -name "*.ts" | xargs cat',
    'find . -depth -name node_modules -prune -o -name "*.ts" -exec cat {} +',
    'find . -mindepth 3 -name node_modules -prune -o -name "*.ts" -exec cat {} +',
    'find . -name "[a-z]*.ts" -not -path "*/nod?_modules" -exec cat {} +',
    'find lib -name "*.json" -exec cat {} +',
    'find lib | xargs cat',
    'find node_modules -exec cat {} +',
    'find . -name config -exec cat {} +',
    'find . -name "H*" -exec cat {} +',
    'find .git -exec cat {} +',
    'find .. -name "*.ts" -exec cat {} +',
    'find ../outside -name "*.ts" | xargs cat',
    'find / -name "*.ts" -exec cat {} +',
    'cd .. && find . -name "*.ts" -exec cat {} +',
    'find -L src -name "*.ts" -exec cat {} +',
    'find src -follow -name "*.ts" | xargs cat',
    'grep -rl x . | xargs cat',
    'rg -l x -uu . | xargs cat',
    // what find or xargs would do besides
    'find src -name "*.ts" -exec cat {} + -delete',
    'find src -fprintf out %p -exec cat {} +',
    'find src -exec cat {} + -exec sh -c id \\;',
    'find src -exec sh -c "cat {}" \\;',
    'find src -exec bash {} \\;',
    'find src -exec rm {} +',
    'find src -execdir cat {} +',
    'find src -ok cat {} \\;',
    'find src -exec {} \\;',
    'find src -exec ./cat {} +',
    'find src -exec /bin/cat {} +',
    'find src -exec sudo cat {} +',
    'find src -exec env cat {} +',
    'find src -exec xargs cat {} +',
    'find src -exec sort -o out {} +',
    'find src -exec sort -o {} {} \\;',
    'find src -exec sed -i s/a/b/ {} +',
    'find src -exec sed -n "w out" {} +',
    'find src -exec sed -f {} README.md \\;',
    'find src -exec sed {} README.md \\;',
    'find src -exec awk "{system(1)}" {} +',
    'find src -exec uniq {} +',
    'find src -exec xxd {} +',
    'find src -exec tee {} +',
    'find src -exec grep -r x {} +',
    'find src -exec grep -f {} README.md \\;',
    'find src -exec grep {} \\;',
    'find src -exec cat .env {} +',
    'find src -exec cat /etc/passwd {} +',
    'find src -exec cat ../outside/x.ts {} +',
    'find src -exec cat {}.bak \\;',
    'find src -exec cat --output={} \\;',
    'find src -exec wc --files0-from={} \\;',
    'find src -exec file -f {} \\;',
    'find src -exec jq {} package.json \\;',
    'find src -exec jq -f {} package.json \\;',
    'find src -exec rg --pre sh x {} +',
    'find src -exec cat * {} +',
    'find src | xargs',
    'find src | xargs sh -c "cat $0"',
    'find src | xargs -I{} sh -c "cat {}"',
    'find src | xargs -I{} cat {}.env',
    'find src | xargs -I{} cat {} .env',
    'find src | xargs -I{} -n1 cat {}',
    'find src | xargs -a .env cat',
    'find src | xargs --arg-file=.env cat',
    'find src | xargs -p cat',
    'find src | xargs -o cat',
    'find src | xargs -i cat {}',
    'find src | xargs -d s cat',
    'find src | xargs -E x cat',
    'find src | xargs --process-slot-var=PATH cat',
    'find src | xargs env cat',
    'find src | xargs xargs cat',
    'find src | xargs rm',
    'find src | xargs grep',
    'find src | xargs grep -e',
    'find src | xargs head -n',
    'find src | xargs sort -o',
    'find src | xargs sed -n',
    'find src | xargs cat .env',
    'find src | xargs wc --files0-from',
    'find src | xargs rg x',
    'find src | xargs tail -f --pid',
    // words that are no names, or other names
    'xargs cat < README.md',
    'cat README.md | xargs cat',
    'echo .env | xargs cat',
    'printf "%s\\n" /etc/passwd | xargs cat',
    'ls | xargs cat',
    'ls -a src | xargs cat',
    'find src -printf "/etc/passwd\\n" | xargs cat',
    'find src -printf "%f\\n" | xargs cat',
    'find src -ls | xargs cat',
    'find src -exec echo .env \\; | xargs cat',
    'find src -exec cat {} + | xargs cat',
    'find src | sed s/src/./ | xargs cat',
    'find src | cut -c1-2 | xargs cat',
    'find src | awk "{print \\$1}" | xargs cat',
    'find src | tr s S | xargs cat',
    'find src | rev | xargs cat',
    'find src | head -c 5 | xargs cat',
    'find src | grep -o a.ts | xargs cat',
    'find src | grep -c a | xargs cat',
    'find src | grep -n a | xargs cat',
    'find src | grep -A1 a | xargs cat',
    'find src | grep a README.md | xargs cat',
    'find src | sort README.md | xargs cat',
    'find src | sort - README.md | xargs cat',
    'find src | head -5 README.md | xargs cat',
    'find src | uniq -c | xargs cat',
    'find src | cat - README.md | xargs cat',
    'find src | nl | xargs cat',
    'find src -print0 | grep -z a | xargs -0 cat',
    'find src -print0 | grep a | xargs cat',
    'find src nothing 2>&1 | xargs cat',
    'find src nothing |& xargs cat',
    'find src | grep -v [ 2>&1 | xargs cat',
    'for d in . src; do find $d; done | xargs cat',
    'for f in .env src; do echo $f; done | xargs cat',
    'for d in . src; do find $d; done | sort | xargs cat',
    'find src; ls | xargs cat',
    'find src && echo .env | xargs cat',
    'find src | xargs echo .env | xargs cat',
    'grep -r x src | xargs cat',
    'grep -rn x src | xargs cat',
    'grep -rlo x src | xargs cat',
    'grep -rlc x src | xargs cat',
    'grep -l x - | xargs cat',
    'grep -rl x - src | xargs cat',
    'grep -l x | xargs cat',
    'rg x src | xargs cat',
    'rg -l x - src | xargs cat',
    'rg -l x | xargs cat',
    'rg -l x < README.md | xargs cat',
    'rg -l --path-separator x y src | xargs cat',
    'rg -l -r x y src | xargs cat',
  ])('%s needs approval', command => {
    expect(verdict(command)).not.toBe('auto')
  })

  test('nothing of it runs unasked where nobody bound the folder, and no rule of a person’s stands in for a default', () => {
    for (const command of ['find src -exec cat {} +', 'find src | xargs cat', 'grep -rl x src | xargs wc -l']) {
      expect(verdict(command, {})).toBe('approval')
      expect(verdict(command, { patterns: ['find *', 'cat *', 'grep *', 'wc *'] })).toBe('approval')
    }
  })
})

describe('what lies in the tree', () => {
  const BOTH = ['find src -type f | xargs cat', 'find src -exec cat {} +']

  test.each([
    ['a blank', 'src/x /etc/hosts'],
    ['a quote', "src/x'y"],
    ['a backslash', 'src/x\\y'],
    ['a line break', 'src/x\nREADME.md'],
    ['another alphabet', 'src/ü.ts'],
  ])('a name with %s is not cut into words', (_, name) => {
    disk.write({ [`app/${name}`]: 'x' })
    expect(BOTH.map(command => verdict(command))).toEqual(['approval', 'auto'])
    expect(verdict('grep -rl x src | xargs cat')).toBe('approval')
    expect(verdict('rg -l x src | xargs cat')).toBe('approval')
  })

  test('a directory with a blank, whose files alone would be taken for others', () => {
    disk.write({ 'app/src/x /etc/passwd.ts': 'x' })
    expect(verdict('find src -name "*.ts" | xargs cat')).toBe('approval')
    expect(verdict('find src -name "*.ts" -print0 | xargs -0 cat')).toBe('approval')
    expect(verdict('find src -maxdepth 1 -name "*.ts" | xargs cat')).toBe('auto')
  })

  test('a name that begins like an option', () => {
    disk.write({ 'app/src/--output=x': 'x', 'app/lib2/-i.ts': 'x' })
    expect(verdict('find src -type f | xargs sort')).toBe('approval')
    expect(verdict('cd lib2 && grep -rl x | xargs sed -n p')).toBe('approval')
    expect(verdict('find lib2 -type f -exec sed -n p {} +')).toBe('auto')
  })

  test('links that lead out, to a secret or to a directory', () => {
    for (const [name, target] of [
      ['out.ts', disk.path('outside/x.ts')],
      ['env.ts', '../.env'],
      ['dir.ts', '../lib'],
      ['etc.ts', '/etc'],
    ] as const) {
      disk.link(`app/links/${name}`, target)
      for (const command of [
        'find links -name "*.ts" -exec cat {} +',
        'find links | xargs ls',
        'find links -xtype f | xargs cat',
        'find links -not -type d -exec cat {} +',
      ])
        expect([name, command, verdict(command)]).toEqual([name, command, 'approval'])
      // Links themselves are not what it finds.
      expect(verdict('find links -type f -exec cat {} +')).toBe('auto')
      disk.remove()
      disk.write({ 'app/.env': 'x', 'app/lib/c.ts': 'x', 'outside/x.ts': 'x' })
    }
  })

  test('a start that is a link', () => {
    disk.link('app/out', disk.path('outside')).link('app/mods', 'node_modules')
    for (const command of ['find out/ -name "*.ts" -exec cat {} +', 'find mods/ -not -path "mods/*" | xargs cat'])
      expect(verdict(command)).toBe('approval')
  })

  test('secrets deep in it, also as a directory that is listed', () => {
    disk.write({ 'app/src/deep/er/server.pem': 'x', 'app/etc/.ssh/known': 'x' })
    for (const command of [...BOTH, 'find etc -name .ssh -exec ls {} +', 'find etc -type d | xargs ls'])
      expect(verdict(command)).toBe('approval')
    expect(verdict('find src -name "*.ts" -exec cat {} +')).toBe('auto')
  })

  test('what git keeps for itself, by whatever name', () => {
    disk.write({ 'app/.git/config.ts': 'x', 'app/.git/refs/heads/a"b".ts': 'x' })
    const rest = '-not -path "./node_modules/*"'
    expect(verdict(`find . -name "*.ts" ${rest} | xargs cat`)).toBe('approval')
    expect(verdict(`find . -name "*.ts" ${rest} -exec cat {} +`)).toBe('approval')
    expect(verdict(`find . -name "*.ts" ${rest} -not -path "./.git/*" | xargs cat`)).toBe('auto')
  })

  test('a reader that the folder brings along', () => {
    disk.write({ 'app/venv/bin/cat': '#!/bin/sh\n', 'app/venv/bin/wc': '#!/bin/sh\n' }, 0o755)
    for (const command of ['find src -exec cat {} +', 'find src | xargs wc -l'])
      expect(verdict(command, { ...BOUND, venv: 'app/venv' })).toBe('approval')
  })

  test('our own files below it', () => {
    expect(verdict('find src -exec cat {} +', { ...BOUND, ours: [disk.path('app/src/state')] })).toBe('approval')
  })
})
