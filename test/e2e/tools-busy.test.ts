import { expect, test } from 'vitest'
import { openStdio } from '../fakes/mcp-client.ts'

test('a server that is busy loses no output and blames nobody for it', async () => {
  const server = await openStdio()
  try {
    const echo = server.place.script('say.sh', '#!/bin/sh\nprintf %s "$1"\n')
    const wrong: unknown[] = []
    // Reading 8 MB and refusing it keeps the server from everything else for a while.
    const heavy = { action: 'run', command: 'x'.repeat(8_000_000) }
    for (let round = 0; round < 6; round++) {
      const busy = [server.headless(heavy), server.headless(heavy), server.headless(heavy)]
      const answers = await Promise.all(
        Array.from({ length: 8 }, async (_, i) => {
          const { data } = await server.headless({ action: 'run', command: echo, args: [`${round}-${i}`] })
          return { said: data.result.stdout, want: `${round}-${i}`, drained: data.result.drained }
        }),
      )
      wrong.push(...answers.filter(({ said, want, drained }) => said !== want || drained === false))
      await Promise.all(busy)
    }
    expect(wrong).toEqual([])
  } finally {
    await server.close()
  }
})
