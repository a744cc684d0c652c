import { afterEach, beforeEach, expect, test } from 'vitest'
import { Printed } from '../../../test/fakes/printed.ts'
import { screenText } from './screen-text.ts'

let printed: Printed
beforeEach(() => {
  printed = new Printed()
})
afterEach(() => printed.remove())

const screen = () => screenText(printed.source, { cols: 20, rows: 5 })

test('the screen is shown as it looks, with the place of the cursor', async () => {
  printed.out('\x1b[31mred\x1b[0m\r\n10 %\r20 %\r\nname: ')
  expect(await screen()).toMatchObject({ text: 'red\n20 %\nname:', cursor_row: 3, cursor_column: 7, from: 0 })
})

test('of a full-screen program its own screen is shown, and after it what was there before', async () => {
  printed.out('$ edit\r\n\x1b[?1049h\x1b[H\x1b[2Jfile\x1b[5;1H-- INSERT --')
  expect((await screen()).text).toBe('file\n\n\n\n-- INSERT --')
  printed.out('\x1b[?1049l$ ')
  expect((await screen()).text).toBe('$ edit\n$')
})

test('of a long output only the end is looked at, and the screen is the same', async () => {
  for (let i = 0; i < 100; i++) printed.out(`${'x'.repeat(9)}\r\n`.repeat(1000))
  printed.out('é the end\r\n')
  const { text, from } = await screen()
  expect({ text, isPart: from > 0 }).toEqual({ text: 'xxxxxxxxx\nxxxxxxxxx\nxxxxxxxxx\né the end', isPart: true })
})

test('a full-screen program that has drawn much is followed from its beginning', async () => {
  printed.out('before\r\n\x1b[?1049h\x1b[Htitle')
  for (let i = 0; i < 100; i++) printed.out('\x1b[2;1Hvalue 12345'.repeat(400))
  expect((await screen()).text).toBe('title\nvalue 12345')
})
