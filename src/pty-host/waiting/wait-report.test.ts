import { expect, test } from 'vitest'
import { lastLine } from '../../base/output/last-line.ts'
import type { Reader } from './foreground.ts'
import { asksForSecret, asksSomething } from './prompt-words.ts'
import { modesIn } from './terminal-modes.ts'
import { WaitProbe } from './wait-probe.ts'
import { fromKernel, fromModes } from './wait-report.ts'

const LINES = { canonical: true, echo: true }
const HIDING = { canonical: true, echo: false }
const KEYS = { canonical: false, echo: false }
const reading: Reader = {
  pid: 7,
  program: 'tool',
  turn: '7/7/1',
  call: { how: 'read', descriptors: [0], hasLimit: false },
}
const nobody = { readers: [], hidden: null }

test.each([
  ['a line', { readers: [reading], hidden: null }, LINES, 'Name: ', 'line', 'kernel'],
  ['a password', { readers: [reading], hidden: null }, HIDING, 'anything', 'secret', 'kernel'],
  ['a key', { readers: [reading], hidden: null }, KEYS, '>>> ', 'key', 'kernel'],
  [
    'a password that is read key by key',
    { readers: [reading], hidden: null },
    KEYS,
    'Passphrase: ',
    'secret',
    'kernel',
  ],
  ['nothing', nobody, LINES, 'Password: ', 'none', 'kernel'],
  [
    'a program that may not be looked at, with echo off',
    { readers: [], hidden: 'sudo' },
    HIDING,
    '',
    'secret',
    'termios',
  ],
  ['the same, at work', { readers: [], hidden: 'sudo' }, LINES, 'working…\r\n', 'none', 'heuristic'],
  ['the same, with a question', { readers: [], hidden: 'su' }, LINES, 'Go on? ', 'line', 'heuristic'],
] as const)('%s', (_, seen, modes, printed, state, source) => {
  expect(fromKernel(seen, modes, printed)).toMatchObject({ state, source })
})

test('where the kernel shows nothing, how the terminal is set is the best there is, and that is said', () => {
  const mac = (modes: typeof LINES | null, printed: string) => fromModes(modes, printed, 'darwin does not show it')
  expect(mac(HIDING, '')).toMatchObject({ state: 'secret', source: 'termios' })
  expect(mac(LINES, 'Really delete it? [y/N] ')).toMatchObject({ state: 'line', source: 'heuristic' })
  expect(mac(KEYS, 'Select a colour: ')).toMatchObject({ state: 'key', source: 'heuristic' })
  expect(mac(LINES, 'compiling a.c\r\n')).toMatchObject({ state: 'none', source: 'heuristic' })
  expect(mac(null, 'Enter PIN: ').evidence).toContain('darwin does not show it')
})

test('how a terminal is set is asked once for each wait, not for each look', async () => {
  let asked = 0
  let turn = '7/7/1'
  const probe = new WaitProbe(
    {
      platform: 'linux',
      terminalOf: () => '/dev/pts/1',
      foreground: () => ({ group: 7, readers: [{ ...reading, turn }], hidden: null, relay: null }),
      modes: async () => {
        asked += 1
        return LINES
      },
    },
    { pid: 7 },
  )
  for (let looks = 0; looks < 5; looks++) await probe.look('Name: ')
  turn = '7/7/2'
  await probe.look('Name: ')
  expect(asked).toBe(2)
})

test('the owner of a terminal is asked after the program was seen to wait, and again when another one has come to the foreground', async () => {
  const steps: string[] = []
  let group = 7
  const probe = new WaitProbe(
    {
      platform: 'linux',
      terminalOf: () => '/dev/pts/1',
      foreground: () => {
        steps.push(`group ${group}`)
        return { group, readers: [reading], hidden: null, relay: null }
      },
      modes: () => Promise.reject(new Error('no program is started for it')),
    },
    {
      pid: 7,
      modes: async () => {
        steps.push('asked')
        group = 8
        return { ...HIDING, foreground: 8 }
      },
    },
  )
  expect((await probe.look('Password: ')).state).toBe('secret')
  expect(steps).toEqual(['group 7', 'asked', 'group 8', 'asked'])
  expect((await probe.look('Password: ')).state).toBe('secret')
  expect(steps.slice(4)).toEqual(['group 8', 'asked'])
})

test('the last line is what a person sees of it', () => {
  expect(lastLine('one\r\n\x1b[1mName\x1b[0m: \x1b[?2004h')).toBe('Name:')
  expect(lastLine('10 %\r20 %\r30 %')).toBe('30 %')
  expect(lastLine('\x1b]0;title\x07done\r\n')).toBe('')
})

test('what asks for a secret is known by its words, at the end of a line that is not over', () => {
  for (const line of ['Password:', '[sudo] password for anna:', 'Enter passphrase for key ~/.ssh/id:', 'Token?'])
    expect(asksForSecret(line), line).toBe(true)
  for (const line of ['Passwords were changed', 'Name:', 'pinned:', 'Overwrite secret.txt, really? y', ''])
    expect(asksForSecret(line), line).toBe(false)
})

test('stty says it with a minus', () => {
  expect(modesIn('speed 38400 baud;\nisig icanon iexten -echo echoe -echok;')).toEqual(HIDING)
  expect(modesIn('lflags: -icanon isig echo echoe')).toEqual({ canonical: false, echo: true })
  expect(modesIn('something else')).toBeNull()
})

test.each(['package name: (a)', 'version: (1.0.0)', 'Is this OK? (yes)', 'Continue? [y/N]', 'Name:', 'Go on?'])(
  'a program that watches more than the terminal and has printed %j waits for the answer',
  line => {
    const watching: Reader = { ...reading, call: { how: 'watch', descriptors: [0, 5], hasLimit: false } }
    const at = (printed: string) => fromKernel({ readers: [watching], hidden: null }, KEYS, printed)
    expect(at(`some text\n${line} `)).toMatchObject({ state: 'key', onlyInput: true })
    // The line is over: nothing is asked.
    expect(at(`${line}\n`)).toMatchObject({ onlyInput: false })
  },
)

test.each(['files: (3/10)', 'files: (3 / 10)', 'done: [###    ]', 'loaded: (45%)', '[12/80] building', 'ready >', ''])(
  'how far something is, %j, asks nothing',
  line => {
    expect(asksSomething(line)).toBe(false)
  },
)
