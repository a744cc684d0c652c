import { expect, test } from 'vitest'
import { EXAMPLES } from '../../../test/fakes/examples.ts'
import type { CommandQuestion } from '../../approving/question.ts'
import type { Preview, PreviewRequest } from '../../contract/preview/preview-frames.ts'
import { type LookedUp, Previews } from './previews.ts'
import type { QueueListener } from './queue-listener.ts'

const QUESTION = EXAMPLES.get('to-approver.question.frame') as CommandQuestion
const ITEM = { about: 'variable', name: 'A', value: 'b' } as const

function open() {
  const asked: Omit<PreviewRequest, 'ms'>[] = []
  const listeners: QueueListener[] = []
  let found: (found: LookedUp) => void = () => {}
  const look = (request: Omit<PreviewRequest, 'ms'>) => {
    asked.push(request)
    return new Promise<LookedUp>(resolve => {
      found = resolve
    })
  }
  const queue = {
    listen(each: QueueListener) {
      listeners.push(each)
      return { dispose() {} }
    },
  }
  const previews = new Previews({ look, close() {} }, queue, () => [7])
  const heard: Preview[] = []
  previews.listen(preview => heard.push(preview))
  const tell = async () => {
    found({ items: [ITEM], complete: true, tookMs: 3 })
    await new Promise(setImmediate)
  }
  const start = (more: Partial<CommandQuestion>, env: Record<string, string> = {}) =>
    previews.start({ ...QUESTION, args: null, ...more }, { shell: 'bash', env })
  return {
    previews,
    asked,
    heard,
    tell,
    start,
    answered: () => listeners[0]?.answered(QUESTION.ask_id, 'approved', 'ada'),
  }
}

test('what was looked up follows its question, also to who comes later', async () => {
  const { previews, heard, tell, start } = open()
  start({})
  await tell()
  const later: Preview[] = []
  previews.listen(preview => later.push(preview))
  const expected = {
    type: 'preview',
    ask_id: QUESTION.ask_id,
    edited: null,
    items: [ITEM],
    complete: true,
    took_ms: 3,
  }
  expect([heard, later]).toEqual([[expected], [expected]])
})

test('a line that a person writes instead is looked at, too, for who wrote it; of many the last one', async () => {
  const { previews, asked, heard, tell, start } = open()
  start({})
  await tell()
  const own: Preview[] = []
  for (const line of ['rm a', 'rm ab', 'rm abc']) previews.edited(QUESTION.ask_id, line, preview => own.push(preview))
  await tell()
  await tell()
  expect(asked.map(({ command }) => command)).toEqual([QUESTION.command, 'rm a', 'rm abc'])
  expect(own.map(({ edited }) => edited)).toEqual(['rm a', 'rm abc'])
  expect(heard).toHaveLength(1)
})

test('of a question that is answered nothing is told any more', async () => {
  const { previews, heard, tell, start, answered } = open()
  start({})
  answered()
  await tell()
  previews.listen(preview => heard.push(preview))
  expect(heard).toEqual([])
})

test('the one who looks gets the variables of the line, and no secret among them', () => {
  const { asked, start } = open()
  const env = { OUT: 'dist', API_TOKEN: 'abc', OTHER: 'x', HOME: '/home/ann' }
  start({ command: 'rm -rf $OUT $API_TOKEN $GONE $RANDOM' }, env)
  expect(asked).toMatchObject([{ variables: { OUT: 'dist', GONE: null }, home: '/home/ann', ours: [7] }])
  expect(Object.keys(asked[0]?.variables ?? {})).toEqual(['OUT', 'GONE'])
})

test('a line for the person’s own shell and a shell to open have no preview', () => {
  const { asked, start } = open()
  start({ typed_into_shell: true })
  start({ intent: 'open_only' })
  expect(asked).toEqual([])
})
