import { expect, test } from 'vitest'
import { openHttp, openStdio } from '../fakes/mcp-client.ts'

test.each([
  { transport: 'stdio', mode: 'legacy', open: openStdio },
  { transport: 'stdio', mode: 'auto', open: openStdio },
  { transport: 'http', mode: 'legacy', open: openHttp },
  { transport: 'http', mode: 'auto', open: openHttp },
] as const)('a $mode client over $transport runs, reads, kills and lists', async ({ mode, open }) => {
  const server = await open({ mode })
  try {
    const line = server.place.shell('echo out; echo err >&2; exit 3')
    const ran = await server.headless({ action: 'run', ...line })
    expect(ran.isError).toBe(false)
    expect(ran.data.result).toMatchObject({ stdout: 'out\n', stderr: 'err\n', exit_code: 3, running: false })
  } finally {
    await server.close()
  }
})
