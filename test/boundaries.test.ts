import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { expect, test } from 'vitest'

/** Which room may import which (DESIGN §2). Every arrow points down. Changing a row needs an ADR. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  base: [],
  contract: [],
  policy: ['base', 'contract'],
  config: ['base', 'contract'],
  approving: ['contract'],
  runs: ['policy', 'base', 'contract'],
  mcp: ['runs', 'policy', 'config', 'base', 'contract'],
  host: ['approving', 'runs', 'policy', 'config', 'base', 'contract'],
  'pty-host': ['base', 'contract'],
  web: ['approving', 'contract'],
  cli: ['approving', 'config', 'base', 'contract'],
  bin: ['cli', 'approving', 'mcp', 'host', 'pty-host', 'runs', 'policy', 'config', 'base', 'contract'],
}

/** Words that only some rooms, or some files, may use. */
const RESERVED: readonly { word: RegExp; who: readonly string[]; why: string }[] = [
  // own-command: PATH, to see whether it finds us under our name.
  { word: /process\.env/, who: ['bin', 'config', 'base/own-command.ts'], why: 'settings come from one table' },
  {
    word: /node:child_process/,
    who: [
      'runs/pipe-process.ts',
      'base/process-table.ts',
      'mcp/adapters/launch-host.ts',
      'host/pty-host-launcher.ts',
      'bin/login-env.ts',
      // systemctl --user show-environment, and nothing else.
      'bin/screen-facts.ts',
      // mkfifo, and nothing else: Node cannot make a named pipe.
      'pty-host/carry-pipes.ts',
      'bin/open-browser.ts',
    ],
    why: 'few places start processes',
  },
  { word: /Date\.now/, who: ['base'], why: 'time is passed in' },
  { word: /Math\.random/, who: [], why: 'ids are made in one place' },
  {
    word: /from 'node:(net|http|tls)'/,
    who: [
      'mcp/http-listener.ts',
      'mcp/http-guard.ts',
      // Types of what the listener hands over; it opens nothing.
      'mcp/http-sessions.ts',
      'bin/doctor.ts',
      'base/psk-socket.ts',
      'base/tls-link.ts',
      'host/approver-door.ts',
      'host/web-server.ts',
      'host/web-guard.ts',
      // The type of a socket node-pty holds; it opens none.
      'pty-host/lossless-pty.ts',
      // Reads a named pipe; opens no socket.
      'pty-host/carry-pipes.ts',
    ],
    why: 'every listener authenticates, so there are few',
  },
  { word: /node-pty'/, who: ['pty-host'], why: 'one room owns terminals' },
  { word: /sqlite'/, who: ['runs/open-database.ts'], why: 'one place knows which SQLite there is' },
  { word: /vi\.mock/, who: [], why: 'what is hard to fake was not passed in' },
]

const LONGEST_FILE = 300

const src = resolve(import.meta.dirname, '../src')
const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter(file => /\.tsx?$/.test(file))
  .map(file => ({
    file: file.split(sep).join('/'),
    room: file.split(sep)[0] ?? '',
    text: readFileSync(join(src, file), 'utf8'),
  }))
const product = files.filter(({ file }) => !file.endsWith('.test.ts'))

test('every room of the product is in the table, and the table has no other', () => {
  expect([...new Set(files.map(({ room }) => room))].sort()).toEqual(Object.keys(MAY_IMPORT).sort())
})

test('the map of the repository shows these arrows, and every file that it names is there', () => {
  const map = readFileSync(resolve(src, '../ARCHITECTURE.md'), 'utf8')
  const words = (text: string) => [...text.matchAll(/`([^`\n]+)`/g)].map(([, word = '']) => word)
  const [, table = ''] = map.split('| Room | May import |')
  const rows = [...(table.split('\n\n')[0] ?? '').matchAll(/^\| (`.+`) \| (.+) \|$/gm)].flatMap(
    ([, rooms = '', may = '']) => words(rooms).map(room => [room, words(may).sort()]),
  )
  expect(Object.fromEntries(rows)).toEqual(
    Object.fromEntries(Object.entries(MAY_IMPORT).map(([room, may]) => [room, [...may].sort()])),
  )
  const rooms = Object.keys(MAY_IMPORT)
  const named = words(map).filter(word => /^[a-z-]+\/[a-z-]+$/.test(word) && rooms.includes(word.split('/')[0] ?? ''))
  const there = new Set(files.flatMap(({ file }) => [file.replace(/\.tsx?$/, ''), dirname(file)]))
  expect(named.length).toBeGreaterThan(50)
  expect(named.filter(word => !there.has(word))).toEqual([])
})

test('no room imports what it must not', () => {
  const wrong = product.flatMap(({ file, room, text }) =>
    [...text.matchAll(/(?:from|import\()\s*'(\.{1,2}\/[^']+)'/g)].flatMap(([, target = '']) => {
      const other = relative(src, resolve(src, dirname(file), target)).split(sep)[0] ?? ''
      return other === room || MAY_IMPORT[room]?.includes(other) ? [] : [`${file} imports ${target}`]
    }),
  )
  expect(wrong).toEqual([])
})

test.each(RESERVED)('only its owners use $word', ({ word, who, why }) => {
  const wrong = product.filter(({ file, room, text }) => word.test(text) && !who.includes(room) && !who.includes(file))
  expect(wrong.map(({ file }) => `${file}: ${why}`)).toEqual([])
})

test(`no file is longer than ${LONGEST_FILE} lines`, () => {
  const long = product.filter(({ text }) => text.split('\n').length > LONGEST_FILE + 1)
  expect(long.map(({ file }) => file)).toEqual([])
})

test('files are named after a thing, not after a drawer', () => {
  const drawers = files.filter(({ file }) => /\/(utils|helpers|common|core|types|index)\.ts$/.test(file))
  expect(drawers.map(({ file }) => file)).toEqual([])
})
