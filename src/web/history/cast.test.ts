import { expect, test } from 'vitest'
import { CastPlayer, readCast } from './cast.ts'

const CAST = readCast(
  `${[
    {
      version: 3,
      term: { cols: 80, rows: 24 },
      idle_time_limit: 2,
      interactive_terminal: { output_times: { known: true } },
    },
    [60, 'm', 'approved'],
    [0.5, 'o', 'one\r\n'],
    [1, 'o', 'two\r\n'],
    [0.5, 'x', '0'],
  ]
    .map(line => JSON.stringify(line))
    .join('\n')}\n`,
)

/** What is on the screen. */
function played() {
  let text = ''
  const player = new CastPlayer(CAST, {
    write: more => {
      text += more
    },
    reset: () => {
      text = ''
    },
  })
  return { player, text: () => text }
}

test('a recording is played as it was printed, and nobody waits as long as a person did', () => {
  expect([CAST.length, CAST.cols, CAST.isTimed]).toEqual([4, 80, true])
  const { player, text } = played()
  player.pass(2.4)
  expect(text()).toBe('')
  player.pass(0.2)
  expect(text()).toBe('one\r\n')
  player.pass(60)
  expect([text(), player.at, player.isOver]).toEqual(['one\r\ntwo\r\n', 4, true])
})

test('wherever somebody goes in it, what was printed until then is there, once', () => {
  const { player, text } = played()
  player.seek(3.5)
  expect(text()).toBe('one\r\ntwo\r\n')
  player.seek(2.5)
  expect(text()).toBe('one\r\n')
  player.seek(3.9)
  expect(text()).toBe('one\r\ntwo\r\n')
  player.seek(-1)
  expect([text(), player.at]).toEqual(['', 0])
})

test('the end is a number that a slider hands back as it is', () => {
  const header = {
    version: 3,
    term: { cols: 80, rows: 24 },
    idle_time_limit: 2,
    interactive_terminal: { output_times: { known: true } },
  }
  const lines = [header, [0.1, 'o', 'a'], [0.2, 'o', 'b'], [0.4, 'o', 'c']]
  expect(readCast(lines.map(line => JSON.stringify(line)).join('\n')).length).toBe(0.7)
})
