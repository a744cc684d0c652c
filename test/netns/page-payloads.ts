import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect } from 'vitest'
import type { AnyResponse } from '../../src/contract/tool/response.ts'

interface Payload {
  readonly error: { readonly code: string; readonly details: Readonly<Record<string, unknown>> }
}

const [, troubles = ''] = readFileSync(resolve(import.meta.dirname, '../../docs/containers.md'), 'utf8').split(
  '## When it does not work',
)
const payloads = [...troubles.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = '']) => JSON.parse(text) as Payload)

/** What docs/containers.md shows an operator for this trouble is in the answer, word for word; addresses and times aside. */
export function isOnThePage(data: AnyResponse): void {
  const { code = '', details = {} as Record<string, unknown> } = data.error ?? {}
  const shown = payloads.filter(
    ({ error }) => error.code === code && (error.details.reason ?? null) === (details.reason ?? null),
  )
  expect(shown, `${code} ${details.reason ?? ''} is on the page once`).toHaveLength(1)
  expect(plain(data)).toMatchObject(plain(shown[0]) as object)
}

const plain = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value)
      .replaceAll(/\b10\.\d+\.\d+\.1:/g, '10.88.0.1:')
      .replaceAll(/"ms":\d+/g, '"ms":0'),
  )
