import { spawn } from 'node:child_process'
import { cpSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { endOf, eventually } from '../drivers/mcp-client.ts'
import { Place, PRODUCT } from '../drivers/place.ts'

/** A copy of the program whose caches are not those of this Node. */
let place: Place
let dist: string
beforeEach(() => {
  place = new Place()
  place.alone()
  dist = join(place.root, 'installed', 'dist')
  cpSync(dirname(PRODUCT), dist, { recursive: true })
  symlinkSync(resolve(import.meta.dirname, '../../node_modules'), join(place.root, 'installed', 'node_modules'))
})
afterEach(() => place.remove())

const caches = () => readdirSync(dist).filter(file => file.endsWith('.cache'))

test.each([
  ['that another Node made', (file: string) => writeFileSync(file, Buffer.alloc(4096, 7))],
  ['that are gone', (file: string) => rmSync(file)],
])('a program with caches %s lists its tools and runs commands all the same', async (_, change) => {
  expect(caches()).toEqual(['app.cache', 'engine.cache', 'sdk-conversation.cache'])
  for (const file of caches()) change(join(dist, file))
  const server = spawn(process.execPath, [join(dist, 'interactive-terminal.cjs'), 'mcp'], {
    cwd: place.work,
    env: place.env(),
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  try {
    const answers = new Map<number, string>()
    createInterface({ input: server.stdout }).on('line', line => answers.set(JSON.parse(line).id, line))
    const say = (message: object) => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    const clientInfo = { name: 'test', version: '1' }
    say({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } })
    say({ id: 2, method: 'tools/list' })
    const run = { name: 'memory_terminal', arguments: { action: 'run', command: 'pwd' } }
    say({ id: 3, method: 'tools/call', params: run })
    // What only the SDK answers.
    say({ id: 4, method: 'prompts/list' })
    await eventually('every answer', () => answers.size === 4)
    const heard = [1, 2, 3, 4].map(id => answers.get(id))
    const expected = ['serverInfo', 'inputSchema', '"exit_code":0', 'Method not found']
    expect(heard).toEqual(expected.map(words => expect.stringContaining(words)))
  } finally {
    await endOf(server)
  }
})
