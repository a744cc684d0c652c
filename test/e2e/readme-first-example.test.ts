import { mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { openStdio } from '../drivers/mcp-client.ts'
import { Place } from '../drivers/place.ts'

test('the first call in the README runs on a fresh install, in a folder that nobody has bound or trusted', async () => {
  const readme = readFileSync(resolve(import.meta.dirname, '../../README.md'), 'utf8')
  const example = JSON.parse(/```json\n([\s\S]*?)```/.exec(readme)?.[1] ?? 'null')
  const place = new Place()
  const cwd = join(place.root, 'anywhere')
  mkdirSync(cwd)
  const server = await openStdio({ place, cwd })
  try {
    const { data } = await server.headless(example)
    expect(data.error).toBeNull()
    expect(data.result).toMatchObject({ exit_code: 0, stdout: expect.stringMatching(/^v\d+/) })
  } finally {
    await server.close()
    place.remove()
  }
})
