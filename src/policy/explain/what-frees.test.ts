// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text, not templates
import { describe, expect, test } from 'vitest'
import { defaultRules } from '../files/default-rules.ts'
import { NO_MACHINE } from '../rules/no-machine.ts'
import type { Rules } from '../rules/rules.ts'
import { whatFrees } from './what-frees.ts'

const CWD = '/home/user/app'
const place = (workspace: Rules['workspace']): Rules => ({
  rules: defaultRules(),
  workspace,
  autoApprove: 'allowlist',
  facts: { ...NO_MACHINE, repositoryTop: () => CWD },
})
const PLACES = {
  unbound: place(null),
  bound: place({ id: 'app', directory: CWD, trusted: false }),
  trusted: place({ id: 'app', directory: CWD, trusted: true }),
}

// biome-ignore format: a table reads best as one
const TABLE: readonly [where: keyof typeof PLACES, line: string, frees: string | null][] = [
  ['unbound', 'echo hi', null],
  ['unbound', 'cat a.ts', 'bind this folder'],
  ['unbound', 'git log -3', 'bind this folder'],
  ['unbound', 'npm test', 'trust this folder: policy trust'],
  ['unbound', 'cat a.ts && npm test', 'trust this folder: policy trust'],
  ['bound', 'cat a.ts', null],
  ['bound', 'npm test 2>&1 | tail -5', 'trust this folder: policy trust'],
  ['bound', 'npm run deploy -- --now', 'a rule: `npm run deploy -- --now`'],
  ['bound', 'npm test && npm run deploy', 'rules: `npm test *`, `npm run deploy`'],
  ['trusted', 'npm run deploy && terraform plan', 'rules: `npm run deploy`, `terraform plan`'],
  ['trusted', 'rm -rf build', 'nothing: what is hard to undo always needs approval'],
  ['trusted', 'rm -rf /', 'nothing: it is refused for everybody'],
  ['trusted', 'cat .env', 'nothing: what may hold secrets always needs approval'],
  ['trusted', 'cat $OTHER/a', 'write the variable out'],
  ['trusted', 'for f in *.ts; do cat $f; done', 'name the files instead of a wildcard'],
  ['trusted', 'cat $(ls)', 'run the inner command by itself and write out what it prints'],
  ['trusted', 'cat a > b', 'leave the redirection out'],
  ['trusted', 'npm test &', 'leave the & out'],
  ['trusted', '{ ls; }', 'write the commands one after the other'],
  ['trusted', "echo 'a", 'close the quote'],
  ['trusted', 'time npm test', 'leave the word time out'],
  ['trusted', '[[ -f a.ts ]] && echo yes', 'write [ … ] instead of [[ … ]]'],
  ['trusted', 'if [ -f a.ts ]; then echo yes; fi', 'write it with && and ||'],
]

describe('what would make a line free', () => {
  test.each(TABLE)('%s: %s', (where, line, frees) => {
    expect(whatFrees({ command: line, cwd: CWD }, PLACES[where])).toBe(frees)
  })

  test('a line that no shell may read is for one command alone where there is no shell', () => {
    expect(whatFrees({ command: 'ls | wc', cwd: CWD }, PLACES.trusted, 'headless')).toBe(
      'send one command alone, or run it with a window',
    )
  })

  test('where a search would meet a secret that the line does not name, another place to search is what helps', () => {
    const facts = {
      ...PLACES.trusted.facts,
      list: (directory: string) => (directory === CWD ? [{ name: 'id_rsa', kind: 'file' as const }] : null),
    }
    expect(whatFrees({ command: 'grep -rn TODO .', cwd: CWD }, { ...PLACES.trusted, facts })).toBe(
      'name files or a directory without id_rsa: what may hold secrets always needs approval',
    )
  })

  test('where nothing runs unasked, that is said', () => {
    expect(whatFrees({ command: 'pwd', cwd: CWD }, { ...PLACES.trusted, autoApprove: 'never' })).toBe(
      'PM_TERM_AUTO_APPROVE=allowlist: now nothing runs unasked',
    )
  })
})
