import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { evaluate } from '../src/policy/judge/evaluate.ts'

const rows = readFileSync(join(import.meta.dirname, 'data/reviewed-options.txt'), 'utf8')
  .split('\n')
  .filter(row => row !== '' && !row.startsWith('#'))

const isFree = (tool: string, option: string): boolean =>
  ['', ' x.js', '=x.js', 'x.js'].some(value =>
    [tool, tool.split(' ')[0]].some(
      start =>
        evaluate({ id: option, allowlist: [`${start} *`], command: `${tool} ${option}${value}` }).verdict === 'auto',
    ),
  )

test('an option that somebody has looked at and found harmless stays free', () => {
  const wrong = rows.flatMap(row => {
    const [, tool = '', options = ''] = /^(.+?): (.+?) — ./.exec(row) ?? []
    if (tool === '') return [`no reason: ${row}`]
    return options.split(' ').flatMap(option => (isFree(tool, option) ? [] : [`${tool} ${option}`]))
  })
  expect(wrong).toEqual([])
})
