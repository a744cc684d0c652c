import { expect, test } from 'vitest'
import type { Question } from '../contract/wire/approver-frames.ts'
import { foundMore, rulesCountIn } from './change-words.ts'

const rules = (more: object) =>
  rulesCountIn({ layer: 'base', workspace_id: 'shop', workspace_directory: null, ...more } as Extract<
    Question,
    { kind: 'rules' }
  >)

test('rules say in which lanes and in which workspace they would count', () => {
  expect(rules({})).toBe('Counts in both lanes, interactive and headless. Workspace shop, bound to no directory yet.')
  expect(rules({ layer: 'headless', workspace_id: null })).toBe('Counts only in headless runs. It names no workspace.')
  expect(rules({ workspace_directory: '/shop' })).toMatch(/Workspace shop, inside \/shop$/)
})

test('what comes after these is said only if something does', () => {
  expect([foundMore({ more: 0 }), foundMore({ more: 3 })]).toEqual([null, 'You are asked about 3 more after these.'])
})
