import { expect, test } from 'vitest'
import { Keyboard } from './keyboard.ts'

const keys = (text: string) => Buffer.from(text)

test('the person has the keyboard while they type, and some seconds more', () => {
  const keyboard = new Keyboard()
  expect(keyboard.holder(0)).toBeNull()
  keyboard.agentTyped(keys('l'), 1000)
  expect(keyboard.holder(1500)).toBe('agent')
  keyboard.personTyped(keys('l'), 2000)
  expect({ holder: keyboard.holder(2500), left: keyboard.personForMs(2500) }).toEqual({ holder: 'person', left: 2500 })
  expect({ holder: keyboard.holder(6000), left: keyboard.personForMs(6000) }).toEqual({ holder: null, left: 0 })
})

test('what a terminal answers by itself is not typed by anybody', () => {
  const keyboard = new Keyboard()
  for (const report of ['\x1b[?1;2c', '\x1b[24;80R', '\x1b[>0;276;0c', '\x1b[I', '\x1b]11;rgb:ffff/ffff/ffff\x1b\\'])
    expect(keyboard.personTyped(keys(report), 1000), JSON.stringify(report)).toBe(false)
  for (const typed of ['\x1b[A', '\x1b', 'c', '\r', '\x1b[1;5C'])
    expect(keyboard.personTyped(keys(typed), 1)).toBe(true)
})

test('whoever wants to know hears of each burst of keys', () => {
  const keyboard = new Keyboard()
  let heard = 0
  const listening = keyboard.onPerson(() => {
    heard += 1
  })
  keyboard.personTyped(keys('a'), 1)
  listening.dispose()
  keyboard.personTyped(keys('b'), 2)
  expect(heard).toBe(1)
})

test('an interrupt is heard of, whether a person or an agent types it; other keys are none', () => {
  const keyboard = new Keyboard()
  const heard: string[] = []
  let typing = ''
  keyboard.onInterrupt(() => void heard.push(typing))
  for (const key of ['\x03', 'c', '\x1a', '\x1b[A', '\x1c', '\r']) {
    typing = key
    keyboard.personTyped(keys(key), 1)
    keyboard.agentTyped(keys(key), 1)
  }
  expect(heard).toEqual(['\x03', '\x03', '\x1a', '\x1a', '\x1c', '\x1c'])
})
