import { expect, test } from 'vitest'
import { askerNews, whoAsks } from './who-asks.ts'

test('a name is told as the claim of whoever has it', () => {
  expect(whoAsks({ client: 'claude-code 2.1.325', requester: 'local' })).toEqual({
    claims: 'claude-code 2.1.325',
    from: null,
    remark: 'The name is its own claim, not checked. It is a program of yours on this machine.',
  })
})

test('whoever has no name is shown by what its key proved', () => {
  expect(whoAsks({ client: '', requester: 'local' })).toEqual({
    claims: null,
    from: null,
    remark: 'It is a program of yours on this machine.',
  })
})

test('a request from a container says where it runs', () => {
  expect(whoAsks({ client: 'claude-code 2.1.325', requester: 'box' }).remark).toBe(
    'The name is its own claim, not checked. It asks from the container box; the command runs on this machine, not in the container.',
  )
})

test('from where it calls is told as its own claim, too', () => {
  const asking = { requester: 'local', caller_surface: 'extension' } as const
  expect(whoAsks({ client: 'claude-code 2.1.325', ...asking })).toEqual({
    claims: 'claude-code 2.1.325',
    from: 'in an editor extension',
    remark:
      'The name and from where it calls are its own claims, not checked. It is a program of yours on this machine.',
  })
  expect(whoAsks({ client: '', ...asking }).remark).toContain('From where it calls is its own claim, not checked.')
})

test('only an agent that has gone on is news', () => {
  expect(askerNews({})).toBeNull()
  expect(askerNews({ asker_state: 'waiting' })).toBeNull()
  expect(askerNews({ asker_state: 'gone_on' })).toContain('may no longer expect this')
})
