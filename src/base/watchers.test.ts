import { expect, test } from 'vitest'
import { Watchers } from './watchers.ts'

test('everybody hears it until they leave; who leaves or comes meanwhile counts the next time', () => {
  const watchers = new Watchers<[string]>()
  const heard: string[] = []
  const first = watchers.add(news => {
    heard.push(`first ${news}`)
    first.dispose()
    watchers.add(later => heard.push(`late ${later}`))
  })
  watchers.add(news => heard.push(`second ${news}`))
  watchers.notify('a')
  expect(heard).toEqual(['first a', 'second a'])
  watchers.notify('b')
  expect(heard.slice(2)).toEqual(['second b', 'late b'])
})
