/**
 * Commands no rule may allow, because no person could want them from an agent: wiping a root, a home, a disk.
 * Works on the words a program would really get, so text that only mentions such a command stays free.
 */
const WRAPPERS = new Set([
  'sudo',
  'doas',
  'env',
  'nice',
  'nohup',
  'time',
  'timeout',
  'command',
  'exec',
  'stdbuf',
  'setsid',
])
const DISK = /^\/dev\/(sd|hd|vd|xvd|nvme|mmcblk|disk|mapper\/)/
// The whole machine, a whole home, or what a system lives in.
const PRECIOUS =
  /^(\/|~|\/home(\/[^/]+)?|\/root|\/Users(\/[^/]+)?|\/(bin|boot|dev|etc|lib|lib64|opt|proc|sbin|srv|sys|usr|var)|[A-Za-z]:[\\/]?)[\\/]*(\*|\.)?$/

export function catastrophe(argv: readonly string[]): string | null {
  const [program, ...rest] = unwrap(argv)
  if (program === undefined) return null
  const name = program.slice(program.lastIndexOf('/') + 1)
  const operands = rest.filter(word => !word.startsWith('-'))
  if (name === 'rm' && rest.some(isRecursive) && operands.some(isPrecious))
    return `${name} would wipe ${operands.find(isPrecious)}`
  if ((name === 'chmod' || name === 'chown') && rest.some(isRecursive) && operands.slice(1).some(isPrecious))
    return `${name} would change all of ${operands.slice(1).find(isPrecious)}`
  if (/^mkfs(\.|$)|^mke2fs$|^wipefs$|^mkswap$/.test(name) && operands.length > 0) return `${name} would format a disk`
  if (name === 'dd' && rest.some(word => word.startsWith('of=') && DISK.test(word.slice(3))))
    return 'dd would overwrite a disk'
  if (name === 'shred' && operands.some(word => DISK.test(word) || isPrecious(word))) return 'shred would wipe a disk'
  return null
}

/** Takes `sudo -u x nice -n 5 rm …` down to `rm …`. Options of a wrapper and their values are skipped generously. */
function unwrap(argv: readonly string[]): readonly string[] {
  let rest = argv
  for (let depth = 0; depth < 8; depth++) {
    const [program = ''] = rest
    if (!WRAPPERS.has(program.slice(program.lastIndexOf('/') + 1))) return rest
    const next = rest.findIndex(
      (word, i) =>
        i > 0 && (WRAPPERS.has(word) || /^(\/.*\/)?(rm|dd|mkfs.*|mke2fs|wipefs|mkswap|shred|chmod|chown)$/.test(word)),
    )
    if (next < 0) return rest
    rest = rest.slice(next)
  }
  return rest
}

const isRecursive = (word: string): boolean => word === '--recursive' || /^-[a-zA-Z]*[rR]/.test(word)
const isPrecious = (word: string): boolean => PRECIOUS.test(word.replace(/\/{2,}/g, '/'))
