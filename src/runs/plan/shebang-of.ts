import { closeSync, openSync, readSync } from 'node:fs'
import { basename } from 'node:path'

const LONGEST = 256

/** The programs that read a script: `#!/usr/bin/env node` is read by `node`, `#!/opt/x/python` by that file. Empty: it is none. */
export function shebangOf(file: string): string[] {
  const [, program = '', rest = ''] = /^#!\s*(\S+)[ \t]*([^\n]*)/.exec(headOf(file)) ?? []
  if (program === '') return []
  if (basename(program) !== 'env') return [program]
  const name = rest.split(/\s+/).find(word => word !== '' && !/^-|=/.test(word))
  return name === undefined ? [program] : [program, name]
}

function headOf(file: string): string {
  try {
    const handle = openSync(file, 'r')
    try {
      const head = Buffer.alloc(LONGEST)
      return head.subarray(0, readSync(handle, head, 0, LONGEST, 0)).toString('latin1')
    } finally {
      closeSync(handle)
    }
  } catch {
    return '' // not ours to read: whoever starts it will say so
  }
}
