import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { expect, test } from 'vitest'
import { withoutParagraphs } from './paragraphs.ts'

/** Which room may import which. Every arrow points down. Changing a row needs an ADR. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  base: [],
  contract: [],
  policy: ['base', 'contract'],
  config: ['base', 'contract'],
  approving: ['contract'],
  admission: ['base', 'contract'],
  runs: ['policy', 'base', 'contract'],
  mcp: ['runs', 'policy', 'config', 'base', 'contract'],
  host: ['approving', 'runs', 'policy', 'config', 'base', 'contract'],
  'pty-host': ['base', 'contract'],
  web: ['approving', 'contract'],
  tui: ['approving', 'admission', 'base', 'contract'],
  vscode: ['approving', 'admission', 'base', 'contract'],
  cli: ['tui', 'approving', 'admission', 'mcp', 'host', 'runs', 'policy', 'config', 'base', 'contract'],
  bin: ['cli', 'tui', 'approving', 'mcp', 'host', 'pty-host', 'runs', 'policy', 'config', 'base', 'contract'],
}

/** Which folder of a room may import which other of the same room; '.': the files beside the folders. No arrow leads back. */
const INSIDE: Record<string, Record<string, readonly string[]>> = {
  base: { '.': [], process: ['.'], output: [], link: ['.'], keys: ['.'] },
  contract: {
    '.': [],
    tool: ['.'],
    disk: ['.', 'tool'],
    preview: ['.'],
    wire: ['.', 'tool', 'disk', 'preview'],
    window: ['.', 'tool', 'wire', 'disk'],
  },
  policy: {
    model: [],
    git: [],
    tools: ['model'],
    read: ['model', 'tools'],
    rules: ['model', 'read'],
    reads: ['model', 'rules', 'tools'],
    destructive: ['model', 'rules'],
    effects: ['model', 'rules', 'reads', 'destructive'],
    trying: ['model', 'rules', 'reads', 'destructive'],
    judge: ['model', 'tools', 'read', 'rules', 'reads', 'destructive', 'effects'],
    files: ['model', 'tools', 'read', 'rules', 'destructive', 'effects', 'judge'],
    explain: ['model', 'tools', 'rules', 'judge', 'files'],
  },
  runs: {
    facts: [],
    secrets: [],
    output: ['secrets'],
    ending: [],
    store: [],
    jail: ['output'],
    plan: ['facts', 'secrets', 'jail'],
    journal: ['store'],
    run: ['plan', 'store', 'output', 'ending', 'secrets', 'jail'],
    receipt: ['store', 'journal', 'facts'],
    history: ['store', 'journal', 'receipt', 'output'],
    preview: ['facts'],
    activity: ['store'],
    wait: ['run', 'output', 'secrets'],
  },
  approving: { '.': [], preview: [], activity: [] },
  mcp: {
    server: [],
    stdio: ['server'],
    answers: [],
    headless: ['server'],
    asking: ['server'],
    'host-link': ['server', 'answers', 'asking'],
    tools: ['server', 'answers', 'headless', 'asking', 'host-link'],
    resources: ['server', 'answers', 'host-link', 'tools'],
  },
  host: {
    'host-times': [],
    names: [],
    terminals: [],
    pty: [],
    questions: ['host-times', 'names', 'terminals'],
    gate: ['host-times', 'questions', 'terminals'],
    runs: ['names', 'questions', 'terminals', 'gate'],
    permits: ['names', 'terminals', 'gate'],
    desk: ['names', 'questions', 'terminals', 'runs'],
    clients: ['host-times', 'names', 'questions', 'terminals', 'permits', 'runs', 'desk'],
    approvers: ['questions', 'gate', 'runs', 'desk'],
    outside: ['host-times', 'questions', 'clients'],
    pages: ['names', 'questions', 'terminals', 'gate', 'runs', 'desk', 'clients', 'outside'],
    window: ['host-times', 'names', 'questions', 'terminals', 'runs', 'desk', 'clients', 'approvers', 'pages'],
    screen: ['approvers', 'window', 'questions'],
    preview: ['questions'],
    '.': [
      'host-times',
      'names',
      'questions',
      'terminals',
      'gate',
      'permits',
      'runs',
      'desk',
      'clients',
      'approvers',
      'outside',
      'pages',
      'window',
    ],
  },
  'pty-host': { waiting: [], '.': ['waiting'] },
  web: {
    drawing: [],
    state: [],
    feed: ['state'],
    controller: ['drawing', 'state', 'feed'],
    parts: ['drawing', 'state', 'controller'],
    card: ['drawing', 'state', 'controller', 'parts'],
    terminal: ['state', 'feed', 'controller', 'parts'],
    rules: ['drawing', 'state', 'controller', 'parts'],
    saved: ['state', 'controller', 'parts'],
    settings: ['state', 'controller', 'parts'],
    status: ['state', 'controller', 'parts'],
    history: ['state', 'controller', 'parts', 'terminal'],
    activity: ['state', 'controller', 'parts'],
    views: [
      'state',
      'feed',
      'controller',
      'parts',
      'card',
      'terminal',
      'rules',
      'saved',
      'settings',
      'status',
      'history',
      'activity',
    ],
    '.': ['feed', 'controller', 'parts', 'views'],
  },
  tui: { approve: [], attach: ['approve'] },
  vscode: {
    editor: [],
    product: [],
    host: ['product'],
    terminals: ['editor'],
    tool: ['editor', 'product', 'host', 'terminals'],
    machine: ['editor', 'product'],
    mcp: ['editor', 'product'],
    panel: ['editor', 'product', 'machine'],
    '.': ['editor', 'product', 'tool', 'machine', 'mcp', 'panel'],
  },
  cli: {
    line: [],
    setup: [],
    reach: [],
    person: ['reach'],
    machine: ['reach', 'person'],
    doctor: ['reach', 'person', 'machine'],
    policy: ['reach', 'person', 'machine'],
    commands: ['reach', 'person', 'machine', 'setup'],
  },
}

/** Words that only some rooms, or some files, may use. */
const RESERVED: readonly { word: RegExp; who: readonly string[]; why: string }[] = [
  // own-command: PATH, to see whether it finds us under our name. local-dialer: PATH, to look for a host. login-env: a text for another Node.
  {
    word: /process\.env/,
    who: [
      'bin',
      'cli',
      'config',
      'base/own-command.ts',
      'mcp/host-link/local-dialer.ts',
      'mcp/host-link/login-env.ts',
      // PATH, to see whether the product is installed; and the product gets all of them.
      'vscode/extension.ts',
    ],
    why: 'settings come from one table',
  },
  {
    word: /node:child_process/,
    who: [
      'base/process/forked-children.ts',
      // native/spawner.c, and nothing else.
      'base/process/spawner.ts',
      // bubblewrap, to see whether the sandbox holds here.
      'runs/jail/probe.ts',
      'base/process/process-table.ts',
      'mcp/host-link/launch-host.ts',
      // The product, as the person installed it or as it came with the extension, and nothing else.
      'vscode/product/ask-product.ts',
      'host/pty/launcher.ts',
      'mcp/host-link/login-env.ts',
      // What is in a client's own file, as the client would start it (ADR 96).
      'cli/setup/check-entry.ts',
      // git status in a neutral environment, and nothing else.
      'runs/receipt/work-tree.ts',
      // git in a neutral environment, and nothing else.
      'runs/preview/quiet-git.ts',
      // This product again, to look at the disk, and nothing else.
      'host/preview/preview-process.ts',
      // systemctl --user show-environment, and nothing else.
      'host/screen/screen-facts.ts',
      // mkfifo, and nothing else: Node cannot make a named pipe.
      'pty-host/carry-pipes.ts',
      // stty, and nothing else: Node cannot ask how a terminal is set.
      'pty-host/waiting/terminal-modes.ts',
      'host/screen/open-browser.ts',
      // The program that the person has set, and nothing else.
      'host/screen/notify-program.ts',
    ],
    why: 'few places start processes',
  },
  { word: /Date\.now/, who: ['base'], why: 'time is passed in' },
  { word: /Math\.random/, who: [], why: 'ids are made in one place' },
  {
    word: /from 'node:(net|http|tls)'/,
    who: [
      'mcp/server/http-listener.ts',
      'mcp/server/http-guard.ts',
      // Types of what the listener hands over; it opens nothing.
      'mcp/server/http-sessions.ts',
      'cli/doctor/files.ts',
      'base/link/psk-socket.ts',
      'base/link/tls-link.ts',
      'host/approvers/door.ts',
      'host/window/server.ts',
      'host/window/guard.ts',
      // The type of a socket node-pty holds; it opens none.
      'pty-host/lossless-pty.ts',
      // Dials a port of loopback to see whether it is open; listens to nothing.
      'base/process/listening-ports.ts',
      // Reads a named pipe; opens no socket.
      'pty-host/carry-pipes.ts',
    ],
    why: 'every listener authenticates, so there are few',
  },
  { word: /node-pty'/, who: ['pty-host'], why: 'one room owns terminals' },
  { word: /sqlite'/, who: ['runs/journal/open-database.ts'], why: 'one place knows which SQLite there is' },
  { word: /vi\.mock/, who: [], why: 'what is hard to fake was not passed in' },
]

const LONGEST_FILE = 280
const LONGEST_STEP = 25
const LARGEST_FOLDER = 22

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
  const named = words(map).filter(
    word => /^[a-z-]+(\/[a-z-]+)+$/.test(word) && rooms.includes(word.split('/')[0] ?? ''),
  )
  const there = new Set(files.flatMap(({ file }) => [file.replace(/\.tsx?$/, ''), dirname(file)]))
  expect(named.length).toBeGreaterThan(50)
  expect(named.filter(word => !there.has(word))).toEqual([])
})

test('the map of the repository has a row for every folder, and for no other', () => {
  const map = readFileSync(resolve(src, '../ARCHITECTURE.md'), 'utf8')
  const [, table = ''] = map.split('| Folder | Holds |')
  const rows = [...(table.split('\n\n')[0] ?? '').matchAll(/^\| (`.+?) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, folder = '']) => folder),
  )
  expect(rows.toSorted()).toEqual([...new Set(product.map(({ file }) => dirname(file)))].sort())
})

interface Arrow {
  readonly file: string
  readonly other: string
  /** Room, then folder of the room; a file beside the folders is in '.', unless the table names it. */
  readonly from: readonly [string, string]
  readonly to: readonly [string, string]
  readonly text: string
}

const placeOf = (path: string): readonly [string, string] => {
  const [room = '', second = '', ...deeper] = path.split('/')
  const stem = second.replace(/\.tsx?$/, '')
  return [room, deeper.length > 0 || INSIDE[room]?.[stem] ? stem : '.']
}

const arrows: readonly Arrow[] = product.flatMap(({ file, text }) =>
  [...text.matchAll(/(?:from|import\()\s*'(\.{1,2}\/[^']+)'/g)].map(([, target = '']) => {
    const other = relative(src, resolve(src, dirname(file), target))
      .split(sep)
      .join('/')
    return { file, other, from: placeOf(file), to: placeOf(other), text: `${file} imports ${other}` }
  }),
)

test('no room imports what it must not', () => {
  const wrong = arrows.filter(({ from: [room], to: [other] }) => other !== room && !MAY_IMPORT[room]?.includes(other))
  expect(wrong.map(({ text }) => text)).toEqual([])
})

test('no folder of a room imports what it must not', () => {
  const wrong = arrows.filter(
    ({ from: [room, folder], to: [other, its] }) =>
      other === room && its !== folder && !INSIDE[room]?.[folder]?.includes(its),
  )
  expect(wrong.map(({ text }) => text)).toEqual([])
})

test('the table of folders has no circle, and no folder that is not there', () => {
  for (const [room, folders] of Object.entries(INSIDE)) {
    const done = new Set<string>()
    const left = Object.entries(folders)
    while (left.length > 0) {
      const next = left.findIndex(([, may]) => may.every(folder => done.has(folder)))
      expect(next, `${room}: one of ${left.map(([folder]) => folder).join(', ')} leads back`).toBeGreaterThanOrEqual(0)
      for (const [folder] of left.splice(next, 1)) done.add(folder)
    }
    const there = product.filter(({ file }) => file.startsWith(`${room}/`)).map(({ file }) => placeOf(file)[1])
    expect([...new Set(there)].sort(), room).toEqual([...done].sort())
  }
})

test('no file leads back to itself, neither by what it uses nor by the types it names', () => {
  const left = new Map(product.map(({ file }) => [file, new Set<string>()]))
  for (const { file, other } of arrows) if (left.has(other)) left.get(file)?.add(other)

  for (let before = -1; before !== left.size; ) {
    before = left.size
    const needed = new Set([...left.values()].flatMap(needs => [...needs]))
    for (const [file, needs] of left)
      if (!needed.has(file) || ![...needs].some(need => left.has(need))) left.delete(file)
  }
  expect([...left.keys()]).toEqual([])
})

/** What is loaded with these files: of all that they import, and what that imports, what is more than types. */
function loadedWith(files: readonly string[]): { readonly count: number; readonly onSchemas: readonly string[] } {
  const texts = new Map(product.map(({ file, text }) => [file, text]))
  const carried = new Set<string>()
  const todo = [...files]
  for (let file = todo.pop(); file !== undefined; file = todo.pop()) {
    if (carried.has(file)) continue
    carried.add(file)
    for (const [, type, target = ''] of (texts.get(file) ?? '').matchAll(/^import (type )?[^;']*?from '(\.[^']+)'/gms))
      if (!type)
        todo.push(
          relative(src, resolve(src, dirname(file), target))
            .split(sep)
            .join('/'),
        )
  }
  const onSchemas = [...carried].filter(file => /^import \* as z from 'zod'/m.test(texts.get(file) ?? ''))
  return { count: carried.size, onSchemas }
}

test('the page loads no schema library: it would be larger than the page, and tries what the page forbids', () => {
  const { count, onSchemas } = loadedWith(product.map(({ file }) => file).filter(file => file.startsWith('web/')))
  expect(count).toBeGreaterThan(60)
  expect(onSchemas).toEqual([])
})

test('a server lists its tools without loading the schema library: it would double what a start loads', () => {
  const { count, onSchemas } = loadedWith(['bin/interactive-terminal.ts'])
  expect(count).toBeGreaterThan(20)
  expect(onSchemas).toEqual([])
})

/** Said twice with one meaning: a verdict in the process and on the wire, a card in the window and in a terminal. */
const SAID_TWICE = ['Card', 'Verdict']

test('the name of a type stands for one thing', () => {
  const homes = new Map<string, Set<string>>()
  for (const { file, text } of product)
    for (const [, name = ''] of text.matchAll(/^(?:export )?(?:interface|type|class) ([A-Z]\w*)(?=[ <])/gm))
      homes.set(name, (homes.get(name) ?? new Set()).add(file))
  expect(homes.size).toBeGreaterThan(500)
  expect([...homes].filter(([name, { size }]) => size > 1 && !SAID_TWICE.includes(name))).toEqual([])
})

test(`no folder has more than ${LARGEST_FOLDER} files`, () => {
  const sizes = new Map<string, number>()
  for (const { file } of product) sizes.set(dirname(file), (sizes.get(dirname(file)) ?? 0) + 1)
  expect([...sizes].filter(([, size]) => size > LARGEST_FOLDER)).toEqual([])
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

test(`a function of more than ${LONGEST_STEP} lines has paragraphs`, () => {
  const dense = product.flatMap(({ file, text }) =>
    withoutParagraphs(text, LONGEST_STEP).map(({ line, lines }) => `${file}:${line}, ${lines} lines`),
  )
  expect(dense).toEqual([])
})
