import { afterAll, beforeAll, expect, test } from 'vitest'
import { BrowserHost, type WindowPage } from '../drivers/browser.ts'
import { needs } from '../drivers/needs.ts'

/** What programs draw, compared row by row with what they are known to draw. */
let host: BrowserHost
let window: WindowPage
beforeAll(async () => {
  host = await BrowserHost.open()
  window = await host.window()
  const { page } = window
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await window.newShell()
  await typed(`cd ${host.live.place.work}; PS1='> '; clear`)
})
afterAll(() => host.close())

async function typed(line: string): Promise<void> {
  await window.page.keyboard.type(line)
  await window.page.keyboard.press('Enter')
}
const showsExactly = (screen: string) => expect.poll(() => window.screen(), { timeout: 8000 }).toBe(screen)
const rows = () => window.page.locator('[data-screen] .xterm-rows > div').count()

test(
  'a person writes in vi, makes the window smaller and larger, and has exactly what vi draws',
  needs('vi'),
  async () => {
    const { page } = window
    await showsExactly('>')
    await typed('vi -u NONE -N text')
    await window.shows('"text"')
    await page.keyboard.type('ifirst line\nzweite Zeile: grün 你好 🙂\n\tthird')
    await page.keyboard.press('Escape')
    const written = ['first line', 'zweite Zeile: grün 你好 🙂', '        third']
    const drawn = (height: number): string => [...written, ...Array.from({ length: height - 4 }, () => '~')].join('\n')
    const high = await rows()
    await showsExactly(drawn(high))
    await page.setViewportSize({ width: 900, height: 500 })
    await expect.poll(rows).toBeLessThan(high)
    await showsExactly(drawn(await rows()))
    await page.setViewportSize({ width: 1180, height: 780 })
    await expect.poll(rows).toBe(high)
    await showsExactly(drawn(high))
    await page.keyboard.type('ggdd2joend')
    await page.keyboard.press('Escape')
    await typed(':wq')
    await showsExactly('> vi -u NONE -N text\n>')
    expect(host.live.place.read('work/text')).toBe('zweite Zeile: grün 你好 🙂\n\tthird\nend\n')
  },
)

test('a password is read without being shown, and what is printed after it stands where it belongs', async () => {
  await typed('clear')
  await showsExactly('>')
  await typed('read -s -p "Password: " word; echo; expr length "$word"')
  await window.shows('Password:')
  await typed('hunter2')
  await showsExactly('> read -s -p "Password: " word; echo; expr length "$word"\nPassword:\n7\n>')
})

const SIGNS = ['é|', '👩‍💻|', '🇩🇪|', '你好|', 'שלום|', 'ﷺ|', 'क्षि|', '가|', 'x̄́|', '❤️|']

test('letters that are made of several, flags and families take their place, and are the same after loading again', async () => {
  host.live.place.write('work/signs', `${SIGNS.join('\n')}\n`)
  await typed('clear')
  await showsExactly('>')
  // Long enough that a page that comes back gets the end of it as a picture, not from the beginning.
  await typed('seq 1 60000 | tail -c 300000; clear; cat signs')
  const screen = [...SIGNS, '>'].join('\n')
  await showsExactly(screen)
  const { page } = window
  await page.reload()
  await window.admitted()
  await page.locator('[data-tab] button').first().click()
  await showsExactly(screen)
  await page.locator('[data-screen] .xterm-helper-textarea').focus()
  await typed('echo next')
  await showsExactly(screen.replace(/>$/, '> echo next\nnext\n>'))
})

test('of ten thousand rows the last five thousand are here, in order, none twice', async () => {
  const { page } = window
  await typed('clear; seq -f "number %.0f" 1 10000')
  await window.shows('number 10000')
  await page.getByRole('button', { name: 'Copy everything' }).click()
  const copied = (await page.evaluate<string>('navigator.clipboard.readText()')).split('\n')
  const numbers = copied.filter(row => row.startsWith('number '))
  expect(numbers.length).toBeGreaterThan(5000)
  const first = 10_000 - numbers.length + 1
  expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, i) => `number ${first + i}`))
})

test('the browser had nothing to complain about', () => {
  expect(window.complaints).toEqual([])
})
