import type { RoughCommand } from './rough-command.ts'
import { decodeAnsiC } from './shell-words.ts'

const DEEPEST = 12
const MOST_DECODED = 32 * 1024

/** What a command prints, where its words say it: `echo x`, `which rm`, `base64 -d <<< x`. */
export function printed(command: RoughCommand, depth = 0): string | null {
  const [program = '', ...words] = command.argv
  const name = program.slice(program.lastIndexOf('/') + 1)
  const operands = words.filter(word => !/^-[a-zA-Z]+$/.test(word))
  if (name === 'echo') {
    const start = words.findIndex(word => !/^-[neE]+$/.test(word))
    const text = words.slice(start < 0 ? words.length : start).join(' ')
    return start > 0 ? decodeAnsiC(text) : text
  }
  if (name === 'printf') {
    const [format = '', ...values] = words
    let at = 0
    const filled = decodeAnsiC(format.replace(/%[sbq]/g, () => values[at++] ?? ''))
    return [filled, ...values.slice(at)].join(' ')
  }

  if (/^(?:which|type|command|realpath|readlink)$/.test(name)) return operands.at(-1) ?? null
  if (name === 'dirname') return operands[0] === undefined ? null : `${operands[0]}/..`
  if (/^(?:whoami|logname)$/.test(name) || (name === 'id' && words.includes('-un'))) return 'user'

  const from = command.pipedFrom
  const input = command.fed[0] ?? (from && depth < DEEPEST ? printed(from, depth + 1) : null)
  if (input === null || input === undefined) return null
  if (name === 'cat' || name === 'tee') return input
  if (name === 'rev') return [...input].reverse().join('')
  if (name === 'base64' && words.some(word => /^(?:-[a-zA-Z]*[dD]|--decode)/.test(word)))
    return Buffer.from(input.slice(0, MOST_DECODED), 'base64').toString('utf8')
  if (name === 'xxd' && words.some(word => /^-[a-z]*r/.test(word)))
    return Buffer.from(input.replace(/\s+/g, '').slice(0, MOST_DECODED), 'hex').toString('utf8')
  return null
}

/** What `eval x` and `sh -c x` read again. */
export function scriptOf([program = '', ...words]: readonly string[]): string | null {
  if (program === 'eval') return words.join(' ')
  const option = /^(?:.*\/)?(?:ba|da|z|k)?sh$/.test(program) ? words.findIndex(word => /^-[a-z]*c$/.test(word)) : -1
  return option < 0 ? null : (words[option + 1] ?? null)
}
