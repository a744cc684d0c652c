import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect } from 'vitest'
import type { AnyResponse } from '../../src/contract/tool/response.ts'

interface Shown {
  readonly payload: { readonly error: { readonly code: string; readonly message: string } }
  /** The example it is quoted from, or the test that compares it with what really comes. */
  readonly example: string | null
  readonly test: string | null
}

const page = readFileSync(resolve(import.meta.dirname, '../../docs/operator.md'), 'utf8')

/** Every payload that docs/operator.md shows; the comment above each says by what it is held. */
export const OPERATOR_PAYLOADS: readonly Shown[] = [
  ...page.matchAll(/(?:<!-- (?:example: (\S+)|test: “([^”]+)”) -->\n)?```json\n([\s\S]*?)```/g),
].map(([, example, test, text = '']) => ({
  payload: JSON.parse(text) as Shown['payload'],
  example: example ?? null,
  test: test ?? null,
}))

/** What the page shows for this test is in the answer, word for word. */
export function isOnOperatorPage(title: string, data: AnyResponse): void {
  const shown = OPERATOR_PAYLOADS.filter(({ test }) => test === title)
  expect(shown, `“${title}” is named on the page once`).toHaveLength(1)
  expect(data).toMatchObject(shown[0]?.payload as object)
}
