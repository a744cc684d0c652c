import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { startFrame } from '../../src/base/process/spawner-frames.ts'

/** Numbers that are the same for the same seed. */
export function numbers(seed: number): (below: number) => number {
  let state = seed >>> 0 || 1
  return below => {
    state ^= state << 13
    state >>>= 0
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state % below
  }
}

/**
 * Sends a spawner what no Node of ours would: right requests that were cut, changed, doubled or put in a wrong order, and bytes
 * that are none. Says what is wrong: it may end by itself or go on, but never crash, and it starts nothing but what was asked for.
 * `allowed`: a directory where the only program it is asked for, `touch`, writes `ok`; whatever else lies there was not asked for.
 */
export async function talkNonsense(
  program: string,
  { seed, allowed }: { readonly seed: number; readonly allowed: string },
): Promise<string | null> {
  const pick = numbers(seed)
  const child = spawn(program, [], { stdio: ['pipe', 'pipe', 'pipe'], env: {}, cwd: '/' })
  let said = ''
  child.stderr.on('data', chunk => {
    said += chunk
  })
  child.stdout.resume()
  child.stdin.on('error', () => {}) // it has ended, as it may
  const over = once(child, 'close')
  for (const bytes of nonsense(pick, allowed)) child.stdin.write(bytes)
  child.stdin.end()
  const late = setTimeout(() => child.kill('SIGABRT'), 20_000)
  const [code, signal] = (await over) as [number | null, NodeJS.Signals | null]
  clearTimeout(late)
  const strange = existsSync(allowed) ? readdirSync(allowed).filter(name => name !== 'ok') : []
  if (strange.length > 0) return `seed ${seed}: it made ${strange.join(', ')}`
  if (signal !== null || (code !== 0 && code !== 2)) return `seed ${seed}: ${signal ?? code} ${said.slice(0, 2000)}`
  return null
}

function nonsense(pick: (below: number) => number, allowed: string): Buffer[] {
  const frames = Array.from({ length: 1 + pick(6) }, (_, i) => frame(pick, i + 1, allowed))
  const at = pick(frames.length)
  const chosen = frames[at] ?? Buffer.alloc(0)
  switch (pick(7)) {
    case 0: // bits turned around, mostly in the fields
      for (let i = 0; i <= pick(4); i++) {
        const where = pick(pick(2) === 0 ? Math.min(52, chosen.length) : chosen.length)
        chosen[where] = (chosen[where] ?? 0) ^ (1 << pick(8))
      }
      break
    case 1: // cut
      frames[at] = chosen.subarray(0, pick(chosen.length))
      break
    case 2: // a size that is none
      chosen.writeUInt32LE([0xffffffff, 0x7fffffff, 8 * 1024 * 1024 + 1, 0, 1, chosen.length][pick(6)] ?? 0, 0)
      break
    case 3: // twice
      frames.splice(at, 0, Buffer.from(chosen))
      break
    case 4: // for nobody
      chosen.writeUInt32LE(pick(2 ** 31), 8)
      break
    case 5: // something else
      frames.splice(at, 0, Buffer.from(Array.from({ length: pick(200) }, () => pick(256))))
      break
    case 6: // counts that are none
      if (chosen.length > 52) chosen.writeUInt32LE(pick(2 ** 31), 12 + 4 * pick(6))
  }
  const all = Buffer.concat(frames)
  // In pieces, cut anywhere.
  const first = pick(all.length + 1)
  return [all.subarray(0, first), all.subarray(first)]
}

function frame(pick: (below: number) => number, id: number, allowed: string): Buffer {
  const small = (type: number, size: number) => {
    const bytes = Buffer.alloc(12 + size)
    bytes.writeUInt32LE(size, 0)
    bytes.writeUInt32LE(type, 4)
    bytes.writeUInt32LE(1 + pick(id), 8)
    for (let i = 12; i < bytes.length; i++) bytes[i] = pick(256)
    return bytes
  }
  const kind = pick(10)
  if (kind < 4) {
    const terminal = kind === 1 ? { cols: 80, rows: 24 } : null
    const argv = ['touch', '--', 'ok']
    const made = startFrame(id, { executable: '/usr/bin/touch', argv, cwd: allowed, env: { A: 'b', C: '' }, terminal })
    return made ?? Buffer.alloc(0)
  }
  if (kind === 4) return small(2, pick(3000))
  if (kind === 5) return small(3, 8)
  // How is it set? Then the same with too much, and types that nobody knows.
  return kind < 8 ? small(4, kind === 7 ? pick(2) * 8 : 0) : small(kind - 3, 0)
}
