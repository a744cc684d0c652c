import { expect, test } from 'vitest'
import { onAbort } from './disposable.ts'
import { Stopping } from './stopping.ts'

/** The same to both: ours, and the one of the platform. */
function told(
  controller: { readonly signal: AbortSignal; abort(reason?: unknown): void },
  reasons: readonly unknown[],
) {
  const { signal } = controller
  const heard: string[] = []
  const listening = (name: string) => onAbort(signal, () => heard.push(`${name} ${signal.aborted} ${signal.reason}`))
  const before = listening('before')
  const gone = listening('gone')
  const object = { handleEvent: ({ type }: Event) => void heard.push(`object ${type}`) }
  signal.addEventListener('abort', object)
  signal.addEventListener('abort', object)
  signal.onabort = ({ type }) => void heard.push(`onabort ${type}`)
  gone.dispose()
  expect(() => signal.throwIfAborted()).not.toThrow()

  for (const reason of reasons) controller.abort(reason)
  listening('late')
  before.dispose()
  let thrown: unknown = null
  try {
    signal.throwIfAborted()
  } catch (cause) {
    thrown = cause
  }
  return {
    aborted: signal.aborted,
    reason: String(signal.reason),
    isReason: thrown === signal.reason,
    heard: heard.sort(),
  }
}

test.each([
  ['with a reason', ['kill', 'too late']],
  ['with an error', [new Error('gone')]],
  ['without a reason', [undefined]],
])('whoever is told to stop %s hears it once, as from an AbortController', (_, reasons) => {
  const ours = told(new Stopping(), reasons)
  expect(ours).toEqual(told(new AbortController(), reasons))
  expect(ours.heard).toHaveLength(4)
})
