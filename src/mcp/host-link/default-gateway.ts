import { readFileSync } from 'node:fs'

const ROUTES = '/proc/net/route'
const HAS_GATEWAY = 0x2

/** The default gateway, from the kernel's own table; null where there is none. */
export function defaultGateway(read: (path: string) => string = path => readFileSync(path, 'utf8')): string | null {
  let table: string
  try {
    table = read(ROUTES)
  } catch {
    return null // not Linux
  }
  for (const line of table.split('\n').slice(1)) {
    const [, destination, gateway = '', flags = ''] = line.trim().split(/\s+/)
    if (destination === '00000000' && (Number.parseInt(flags, 16) & HAS_GATEWAY) !== 0) return dotted(gateway)
  }
  return null
}

/** The table writes addresses as the machine keeps them: lowest byte first. */
function dotted(hex: string): string | null {
  const bytes = hex.match(/^([0-9A-F]{2})([0-9A-F]{2})([0-9A-F]{2})([0-9A-F]{2})$/i)
  return bytes
    ? bytes
        .slice(1)
        .reverse()
        .map(byte => Number.parseInt(byte, 16))
        .join('.')
    : null
}
