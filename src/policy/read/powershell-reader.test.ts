import { expect, test } from 'vitest'
import { readPowerShell } from './powershell-reader.ts'

const argvs = (line: string): readonly (readonly string[])[] | string => {
  const reading = readPowerShell(line)
  return 'gaveUp' in reading ? reading.gaveUp : reading.commands.map(command => command.argv)
}

test.each([
  ['Get-ChildItem', [['Get-ChildItem']]],
  ['  Get-ChildItem -Force  ', [['Get-ChildItem', '-Force']]],
  [
    `Select-String -Path src\\app.ts -Pattern 'foo|bar'`,
    [['Select-String', '-Path', 'src\\app.ts', '-Pattern', 'foo|bar']],
  ],
  [`Write-Output 'it''s' "a; b"`, [['Write-Output', "it's", 'a; b']]],
  ['git log --format="%h %s" -3', [['git', 'log', '--format=%h %s', '-3']]],
  ['Get-ChildItem -Include *.ts,*.js', [['Get-ChildItem', '-Include', '*.ts', '*.js']]],
  [
    'Get-Content a.txt | Select-Object -First 5; Get-Location;',
    [['Get-Content', 'a.txt'], ['Select-Object', '-First', '5'], ['Get-Location']],
  ],
  [
    'npm test 2>&1 | Select-Object -Last 5',
    [
      ['npm', 'test'],
      ['Select-Object', '-Last', '5'],
    ],
  ],
  [
    'git status && git diff',
    [
      ['git', 'status'],
      ['git', 'diff'],
    ],
  ],
  [`Write-Output 'grüße – 🙂'`, [['Write-Output', 'grüße – 🙂']]],
])('reads %j', (line, expected) => {
  expect(argvs(line)).toEqual(expected)
})

test.each([
  ['Get-ChildItem $HOME', 'a variable'],
  ['Get-ChildItem (pwd)', 'a parenthesis'],
  ['Get-ChildItem | % { calc }', 'a script block'],
  ['Get-Content x > y', 'a redirection'],
  ['Get-Content x 2>&1y', 'a redirection'],
  ['& calc', 'a call or background operator'],
  ['npm test &', 'a call or background operator'],
  ['. .\\x.ps1', 'an expression instead of a command'],
  ["'git' status", 'an expression instead of a command'],
  ['1+1', 'an expression instead of a command'],
  ['-join x', 'an expression instead of a command'],
  ['[Environment]::Exit(0)', 'a parenthesis'],
  ['foreach x', 'the keyword foreach'],
  ['Get-Content @x', 'an array, hash table or splat'],
  ['Get-Content x # y', 'a comment'],
  ['Get-Content x`', 'a backtick'],
  ['Write-Output "a $x"', 'an expansion inside double quotes'],
  ['Write-Output "a`nb"', 'an expansion inside double quotes'],
  ['Write-Output "a', 'a quote that is not closed'],
  ['Write-Output "a"b', 'text right after a quote'],
  ['Write-Output a,', 'a comma without a word'],
  ['Write-Output ,a', 'a comma without a word'],
  [`Write-Output 'a\u2019; calc #'`, 'a typographic quote, which PowerShell reads as a plain one'],
  ['Get-ChildItem \u2013Recurse', 'a character PowerShell may read in its own way'],
  ['Get-ChildItem\u00a0x', 'a character PowerShell may read in its own way'],
  ['Get-ChildItem\ncalc', 'a line break'],
  [`Write-Output 'a\u202eb'`, 'an invisible or control character'],
  ['git log --% --output=x', 'the stop-parsing mark'],
  ['git log -o.txt', 'a parameter with a dot in it'],
  [`git log 'a" --output=x "b'`, 'a word that older PowerShells hand to a program in other pieces'],
  [`git log 'a b\\' --x`, 'a word that older PowerShells hand to a program in other pieces'],
  [`git log '' x`, 'a word that older PowerShells hand to a program in other pieces'],
  ['Get-Content ~/.ssh/id_rsa', 'a home directory'],
  ['Get-ChildItem |', 'a separator without a command'],
  ['; Get-ChildItem', 'a separator without a command'],
  [`Write-Output ${'a'.repeat(9000)}`, 'more text than a PowerShell line runs unasked with'],
  ['', 'a separator without a command'],
])('gives up on %j', (line, why) => {
  expect(argvs(line)).toBe(why)
})

test('a pattern of file names counts where PowerShell would expand it for a program', () => {
  const globs = (line: string): unknown => {
    const reading = readPowerShell(line)
    return 'commands' in reading && reading.commands.map(command => command.globs)
  }
  expect([globs('find . -del*'), globs("rg '*.ts'"), globs('Get-ChildItem *.ts')]).toEqual([[[2]], [[]], [[]]])
})
