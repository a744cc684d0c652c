import { expect, test } from 'vitest'
import { forgetOwnNodeEnv, ownNodeEnv } from './small-node.ts'

test('what keeps our own processes small is no part of the environment that commands get, and what a person set stays', () => {
  const ours: NodeJS.ProcessEnv = ownNodeEnv({ PATH: '/bin' })
  expect(ours.MALLOC_ARENA_MAX).toBeDefined()
  forgetOwnNodeEnv(ours)
  expect(ours).toEqual({ PATH: '/bin' })

  const persons: NodeJS.ProcessEnv = ownNodeEnv({ MALLOC_ARENA_MAX: '1' })
  forgetOwnNodeEnv(persons)
  expect(persons).toEqual({ MALLOC_ARENA_MAX: '1' })
})
