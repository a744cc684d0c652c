import { expect, test } from 'vitest'
import { Disposables, onAbort } from './disposable.ts'

test('what was started ends in reverse order, once', () => {
  const ended: string[] = []
  const life = new Disposables()
  life.defer(() => ended.push('first'))
  life.defer(() => ended.push('second'))
  life.dispose()
  life.dispose()
  expect(ended).toEqual(['second', 'first'])
})

test('what comes after the end is ended at once', () => {
  const ended: string[] = []
  const life = new Disposables()
  life.dispose()
  life.defer(() => ended.push('late'))
  expect(ended).toEqual(['late'])
})

test('an abort is heard once, whether it comes later or came before', () => {
  const heard: string[] = []
  const later = new AbortController()
  onAbort(later.signal, () => heard.push('later'))
  later.abort()
  onAbort(AbortSignal.abort(), () => heard.push('before'))
  expect(heard).toEqual(['later', 'before'])
})

test('who stopped listening is not told of an abort', () => {
  const heard: string[] = []
  const controller = new AbortController()
  onAbort(controller.signal, () => heard.push('told')).dispose()
  controller.abort()
  expect(heard).toEqual([])
})
