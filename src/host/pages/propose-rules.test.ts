import { expect, test } from 'vitest'
import { randomIds } from '../../base/ids.ts'
import type { RulesDeps } from '../questions/ask-rules.ts'
import { proposeRules } from './propose-rules.ts'

const wanted = { page: 'Activity page', workspaceId: 'shop', added: ['make lint'] }

function deps(ask: () => Promise<unknown>) {
  const rules = { ruleFiles: { changeable: () => '/home/ada/shop' }, queue: { ask }, times: { patienceMs: 1000 } }
  return { rules: rules as unknown as RulesDeps, ids: randomIds() }
}

test('once the card is there, how it is answered is for the card to say', async () => {
  await proposeRules(
    deps(() => new Promise(() => {})),
    wanted,
  )
})

test('a card that could not be put up is no success', async () => {
  const tooMany = deps(() => Promise.resolve({ kind: 'too_many', waiting: 200 }))
  await expect(proposeRules(tooMany, wanted)).rejects.toThrow('Not asked: 200 questions wait')
  const full = deps(() => Promise.reject(new Error('ENOSPC')))
  await expect(proposeRules(full, wanted)).rejects.toThrow('ENOSPC')
})
