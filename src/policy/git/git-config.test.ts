import { expect, test } from 'vitest'
import { configProblem } from './git-config.ts'

const USUAL = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = false
[remote "origin"]
\turl = git@example.com:a/b.git
\tfetch = +refs/heads/*:refs/remotes/origin/*
[branch "main"] ; the trunk
\tremote = origin
\tmerge = refs/heads/main
# mine
[user]
\temail = a@example.com
`

test('the configuration of a usual clone starts nothing', () => {
  expect(configProblem(USUAL)).toBe(null)
})

test.each([
  ['diff.external', '[diff]\n\texternal = ./x'],
  ['diff.command', '[diff "word"]\n\tcommand = ./x'],
  ['diff.textconv', '[diff "word"]\n\ttextconv = ./x'],
  ['filter.clean', '[filter "f"]\n\tclean = ./x'],
  ['filter.process', '[filter "f"]\nprocess=./x'],
  ['core.fsmonitor', '[core]\n\tfsmonitor = ./x'],
  ['core.worktree', '[core]\n\tworktree = /'],
  ['core.sshcommand', '[core] sshCommand = ./x'],
  ['gpg.program', '[gpg]\n\tprogram = ./x'],
  ['include.path', '[include]\n\tpath = ../evil'],
  ['includeif.path', '[includeIf "gitdir:/"]\n\tpath = ../evil'],
  ['remote.promisor', '[remote "origin"]\n\tpromisor = true'],
  ['remote.uploadpack', '[remote "origin"]\n\tuploadpack = ./x'],
  ['alias.st', '[alias]\n\tst = !./x'],
  ['credential.helper', '[credential]\n\thelper = ./x'],
  ['submodule.update', '[submodule "s"]\n\tupdate = !./x'],
])('%s in a repository is named', (name, text) => {
  expect(configProblem(`${USUAL}${text}\n`)).toContain(name)
})

test.each(['[core', '[core]\n\tfilemode = tr\\\nue', 'x y z', '[core]\n= x', '[core]\n"bare" = x'])(
  'a configuration that cannot be read for sure (%j) is no yes',
  text => {
    expect(configProblem(text)).not.toBe(null)
  },
)

test('a list of submodules may say where they are, not how they are looked at', () => {
  const usual = '[submodule "s"]\n\tpath = s\n\turl = ../s.git\n'
  expect([configProblem(usual, 'modules'), configProblem(`${usual}\tignore = none\n`, 'modules')]).toEqual([
    null,
    expect.stringContaining('submodule.ignore'),
  ])
})
