import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A group of lines in `test/data/*.txt`: rules, and what must become of the lines under them. */
export interface PolicyTable {
  readonly name: string
  readonly rules: readonly string[]
  readonly lines: readonly { readonly expect: string; readonly line: string }[]
}

const HIDDEN: Readonly<Record<string, string>> = { '␤': '\n', '␉': '\t', '␍': '\r' }

export function readPolicyTables(file: string): PolicyTable[] {
  const groups = readFileSync(join(import.meta.dirname, 'data', file), 'utf8')
    .split(/^== /m)
    .slice(1)
  return groups.map(group => {
    const [name = '', ...rows] = group.split('\n').filter(row => row !== '')
    const lines = rows.map(row => ({
      expect: row.slice(0, 6).trim(),
      line: row.slice(6).replace(/[␤␉␍]/g, char => HIDDEN[char] ?? char),
    }))
    return {
      name,
      rules: lines.filter(({ expect }) => expect === 'rule').map(({ line }) => line),
      lines: lines.filter(({ expect }) => expect !== 'rule'),
    }
  })
}
