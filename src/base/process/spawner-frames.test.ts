import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SpawnerFrames, startFrame } from './spawner-frames.ts'

const frame = (type: number, id: number, ...fields: number[]): Buffer => {
  const bytes = Buffer.alloc(12 + fields.length * 4)
  bytes.writeUInt32LE(fields.length * 4, 0)
  bytes.writeUInt32LE(type, 4)
  bytes.writeUInt32LE(id, 8)
  for (const [i, field] of fields.entries()) bytes.writeUInt32LE(field, 12 + i * 4)
  return bytes
}
const printed = (type: number, id: number, text: string): Buffer => {
  const bytes = Buffer.concat([frame(type, id), Buffer.from(text)])
  bytes.writeUInt32LE(Buffer.byteLength(text), 0)
  return bytes
}

function heardOf(chunks: readonly Buffer[]): string[] {
  const said: string[] = []
  const outputs = new Map<string, string>()
  const say = (...words: unknown[]) => void said.push(words.join(' '))
  const frames = new SpawnerFrames({
    ready: version => say('ready', version),
    started: (id, pid, start) => say('started', id, pid, start),
    failed: (id, stage, errno) => say('failed', id, stage, errno),
    output: (id, stream, chunk) => {
      const name = `${id} ${stream}`
      outputs.set(name, (outputs.get(name) ?? '') + chunk.toString('latin1'))
    },
    streamEnd: (id, stream) => say('end', id, stream, outputs.get(`${id} ${stream}`) ?? ''),
    exited: (id, code, signal) => say('exited', id, code, signal),
    closed: id => say('closed', id),
    inputTaken: (id, bytes) => say('taken', id, bytes),
    modes: (id, modes) => say('modes', id, JSON.stringify(modes)),
  })
  for (const chunk of chunks) frames.receive(chunk)
  return said
}

const ALL = Buffer.concat([
  frame(1, 0, 1),
  frame(2, 5, 4711, 0xffffffff, 1),
  printed(4, 5, 'one '),
  printed(5, 5, ''),
  frame(3, 6, 4, 2),
  printed(4, 5, 'two'),
  frame(9, 5, 77, 0),
  frame(10, 5, 0b1011, 4711),
  frame(10, 5, 0, 0),
  frame(6, 5, 0, 0),
  frame(6, 5, 1, 0),
  frame(7, 5, 9, 1),
  frame(8, 5),
  frame(7, 7, 3, 0),
])
const SAID = [
  'ready 1',
  'started 5 4711 8589934591',
  'failed 6 execute 2',
  'taken 5 77',
  'modes 5 {"canonical":true,"echo":false,"signals":true,"foreground":4711}',
  'modes 5 null',
  'end 5 stdout one two',
  'end 5 stderr ',
  'exited 5  9',
  'closed 5',
  'exited 7 3 ',
]

test('what the spawner says is the same however it is cut into pieces', () => {
  expect(heardOf([ALL])).toEqual(SAID)
  fc.assert(
    fc.property(fc.array(fc.nat(ALL.length), { maxLength: 30 }), cuts => {
      const at = [0, ...cuts.sort((a, b) => a - b), ALL.length]
      expect(heardOf(at.slice(1).map((end, i) => ALL.subarray(at[i], end)))).toEqual(SAID)
    }),
  )
})

test.each([
  ['a type that nobody knows', frame(77, 1)],
  ['a size that is not its own', frame(8, 1, 5)],
])('%s is no frame', (_, bytes) => {
  expect(() => heardOf([bytes])).toThrow('what is no frame')
})

test('a request says what it was given, byte for byte, and refuses what no program can be given', () => {
  const request = { executable: '/bin/x', argv: ['x', '', 'ü'], cwd: '/d', env: { A: '', B: 'c=d' }, terminal: null }
  const bytes = startFrame(3, request)
  expect(bytes?.subarray(52).toString('utf8').split('\0')).toEqual(['/bin/x', '/d', 'x', '', 'ü', 'A=', 'B=c=d', ''])
  expect(bytes?.readUInt32LE(0)).toBe((bytes?.length ?? 0) - 12)
  expect(() => startFrame(3, { ...request, env: { A: 'a\0B=c' } })).toThrow('null byte')
  expect(startFrame(3, { ...request, argv: ['x', 'y'.repeat(2 ** 23)] })).toBe(null)
})
