// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text, not templates
import { describe, expect, test } from 'vitest'
import { readBash } from './bash-reader.ts'
import { readByGrammar } from './grammar-reader.ts'
import { knownValues, mayBeSet } from './line-variables.ts'
import { readLiterally } from './literal-reader.ts'

const VALUES = knownValues('/srv/app', '/home/me')

/** Both readers by themselves, and both together. */
const readings = (line: string) => [
  readLiterally(line, 'bash', VALUES),
  readByGrammar(line, undefined, VALUES),
  readBash(line, 'bash', { values: VALUES }),
]

// biome-ignore format: a table reads best as one
const UNDERSTOOD: readonly [line: string, argvs: string[]][] = [
  ['ls $HOME', ['ls /home/me']],
  ['ls "$PWD/src" ${PWD}/x', ['ls /srv/app/src /srv/app/x']],
  ['x=src; ls $x', ['ls src']],
  ['x=src && ls "$x"/a', ['ls src/a']],
  ['x=a\ny=$x/b\ncat $y', ['cat a/b']],
  ['ls; DIR=src; ls $DIR', ['ls', 'ls src']],
  ["x='a b'; cat \"$x\"", ['cat a b']],
  ['cat < $PWD/a', ['cat']],
  ['echo "exit: $?"', ['echo exit: $?']],
  ['for f in a b; do head -5 $f; done', ['head -5 a', 'head -5 b']],
  ['for f in a b\ndo\n  wc -l "$f"\ndone', ['wc -l a', 'wc -l b']],
  ['for f in a b; do test -f $f && cat $f; done | sort', ['test -f a', 'cat a', 'test -f b', 'cat b', 'sort']],
  ['for i in {1..3}; do echo $i; done 2>/dev/null', ['echo 1', 'echo 2', 'echo 3']],
  ['x=src; for f in a b; do ls $x/$f; done; ls', ['ls src/a', 'ls src/b', 'ls']],
  ['cat src/{a,b}.ts', ['cat src/a.ts src/b.ts']],
  ['ls *.{ts,js}', ['ls *.ts *.js']],
  ['echo {a,b}{1,2} x{,y}', ['echo a1 a2 b1 b2 x xy']],
  ['echo {3..1}', ['echo 3 2 1']],
  ['grep x --include=*.{ts,tsx} src', ['grep x --include=*.ts --include=*.tsx src']],
]

const NOT_UNDERSTOOD = [
  // unknown, changed, or not certainly set
  'ls $OTHER',
  'ls ${HOME:-x}',
  'ls ${HOME%/*}',
  'ls ${#HOME}',
  'ls ${!HOME}',
  'ls $1',
  'ls $@',
  'ls "$*"',
  'echo $!',
  'x=1 ls $x',
  'x=1 | ls $x',
  'true && x=1; ls $x',
  'true || x=1; ls $x',
  'x=1 && ls && y=2; ls $y',
  'x=1 || ls $x',
  'x+=1; ls $x',
  'x[0]=1; ls $x',
  'x=(a b); ls $x',
  'x=$(id); ls $x',
  'x=`id`; ls $x',
  'x=~/a; ls $x',
  'x=*; ls $x',
  'cd src && ls $PWD',
  'cd src; cat $PWD/a',
  'export HOME=/x; ls $HOME',
  'unset HOME; ls $HOME',
  'read x; ls $x',
  'x=a; read x; ls $x',
  'x=a; printf -v x b; ls $x',
  'x=a; builtin read x; ls $x',
  'x=a; command read x; ls $x',
  'x=a & ls $x',
  '(x=a); ls $x',
  'x=a; { ls $x; }',
  'x=$?; ls $x',
  'cat $?',
  'head -$? a',
  // names that a shell or a program listens to
  'PATH=/x; ls',
  'IFS=x; ls',
  'HOME=/; ls $HOME',
  'PWD=/; ls $PWD',
  'CDPATH=/; cd x',
  'BASH_ENV=x; ls',
  'LD_PRELOAD=x; ls',
  'GIT_DIR=x; git log',
  'NODE_OPTIONS=x; npm test',
  'PS4=x; ls',
  'http_proxy=x; npm view y',
  'npm_config_x=y; npm test',
  'for PATH in /x; do ls; done',
  'for IFS in x; do ls; done',
  'for HOME in /; do ls $HOME; done',
  // what does not stay one word
  "x='a b'; ls $x",
  "x='*'; ls $x",
  'x=; ls $x',
  "x='~'; ls $x",
  "x='a\tb'; ls $x",
  // a program that only the variable names
  'x=ls; $x',
  '"$HOME/x"',
  '$HOME/x',
  'for c in ls id; do $c; done',
  '{ls,-la}',
  'l{s,s}',
  // loops
  'for f in *.ts; do cat $f; done',
  'for f in $x; do ls; done',
  'for f in; do ls; done',
  'for f; do ls; done',
  'for f in a; do done',
  'for f in a; do ls; done ls',
  'for f in a; do ls; done < x',
  'for f in a; do ls; done > x',
  'for f in a; do ls; done &',
  'for f in a; do cd $f; done',
  'for f in a; do x=1; ls $x; done',
  'ls | for f in a; do cat; done',
  'for f in a; do for g in b; do ls; done; done',
  'for f in a; do if ls; then ls; fi; done',
  'for f in a b; do ls $f & done',
  'for f in a; do cat $f; done; cat $f',
  'for f in $(ls); do cat $f; done',
  'for ((i=0;i<3;i++)); do ls; done',
  'for f in a; { ls; }',
  'for f in a # x\ndo ls; done',
  'select f in a; do ls; done',
  'while true; do ls; done',
  `for f in ${Array.from({ length: 40 }, (_, i) => i).join(' ')}; do ls; done`,
  // braces
  'ls {a,$(id)}',
  'ls {a,{b,c}}',
  'ls {a,"b"}',
  "ls {a,'b c'}",
  'ls {,a}',
  'ls {a..c}',
  'ls {01..3}',
  'ls {1..3..2}',
  'ls {1..999}',
  'ls x={a,b}',
  'x={a,b}; ls $x',
  'cat < {a,b}',
  'ls {a,~}',
  'ls {a,$HOME}',
  'ls [{a,b}]',
]

describe('what a line says of itself', () => {
  test.each(UNDERSTOOD)('both readers see the same in %j', (line, argvs) => {
    for (const reading of readings(line))
      expect('gaveUp' in reading ? reading.gaveUp : reading.commands.map(({ argv }) => argv.join(' '))).toEqual(argvs)
  })

  test.each(NOT_UNDERSTOOD)('is left to a person: %j', line => {
    expect(readBash(line, 'bash', { values: VALUES })).toHaveProperty('gaveUp')
  })

  test('nothing of it is understood where the shell is another', () => {
    for (const line of ['ls $HOME', 'x=a; ls $x', 'for f in a; do ls $f; done', 'ls {a,b}'])
      expect(readBash(line, 'zsh', { values: VALUES })).toHaveProperty('gaveUp')
    expect(readBash('ls {a,b}', 'sh', { values: VALUES })).toHaveProperty('gaveUp')
  })

  test('names that mean nothing to anybody may be set', () => {
    expect(['f', 'i', 'dir', 'file_name', 'X', 'DIR', 'FILE'].filter(name => !mayBeSet(name))).toEqual([])
    const listened = ['PATH', 'HOME', 'IFS', 'ENV', 'CC', 'LANG', 'EDITOR', 'path', 'https_proxy', 'npm_config_a', '_']
    expect(listened.filter(mayBeSet)).toEqual([])
  })
})
