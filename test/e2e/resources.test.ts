import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually, type Opened, type OpenedHttp, openHttp, openStdio } from '../drivers/mcp-client.ts'

/** Runs as MCP resources, with real clients of both generations, over stdio and HTTP. */
type Client = Opened['client']

const read = async (client: Client, uri: string) => (await client.readResource({ uri })).contents
async function textOf(client: Client, uri: string): Promise<string> {
  const [content] = await read(client, uri)
  if (!content || !('text' in content)) throw new Error(`${uri} is no text`)
  return content.text
}
const refusal = (client: Client, uri: string): Promise<string> =>
  client.readResource({ uri }).then(
    () => 'it was read',
    (cause: Error) => cause.message,
  )
const idOf = (called: { data: { identity: { session_id: string | null } } }) => called.data.identity.session_id ?? ''

/** What a client hears, in its order. */
function news(client: Client): string[] {
  const heard: string[] = []
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void heard.push(params.uri))
  client.setNotificationHandler('notifications/resources/list_changed', () => void heard.push('the list'))
  return heard
}

describe.each(['legacy', 'auto'] as const)('over stdio, %s', mode => {
  let server: Opened
  const run = (line: string, more: object = {}) =>
    server.headless({ action: 'run', ...server.place.shell(line), ...more })
  beforeAll(async () => {
    server = await openStdio({ mode })
    await run('true')
  })
  afterAll(() => server.close())

  test('a client learns what there is to read: the list of runs, and two resources for each, as a page at a time', async () => {
    expect(server.client.getServerCapabilities()?.resources).toEqual({ subscribe: true, listChanged: true })
    for (let i = 0; i < 22; i++) await run(`echo ${i}`)
    const page = (params: { cursor?: string | undefined }) =>
      server.client.request({ method: 'resources/list', params })
    const first = await page({})
    const second = await page({ cursor: first.nextCursor })
    const uris = [...first.resources, ...second.resources].map(({ uri }) => uri)
    expect(first.resources[0]).toMatchObject({ uri: 'terminal://runs', mimeType: 'application/json' })
    expect(first.resources).toHaveLength(41)
    expect(uris).toHaveLength(47)
    expect(new Set(uris).size).toBe(47)
    expect(second.nextCursor).toBeUndefined()
    expect(first.resources[1]).toMatchObject({ title: expect.stringContaining('echo 21'), description: 'exited 0' })
    await expect(page({ cursor: 'of another time' })).rejects.toThrow('List again without one')
    const { resourceTemplates } = await server.client.listResourceTemplates()
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'terminal://runs/{session_id}/output{?cursor}',
      'terminal://runs/{session_id}/receipt',
    ])
  })

  test('the list of runs is a document, newest first, with how each can be read', async () => {
    const older = idOf(await run('echo older'))
    const newer = idOf(await run('echo newer; exit 3'))
    const { runs, read } = JSON.parse(await textOf(server.client, 'terminal://runs'))
    const ids = runs.map(({ session_id }: { session_id: string }) => session_id)
    expect(ids.slice(0, 2)).toEqual([newer, older])
    expect(runs[0]).toMatchObject({ state: 'exited', exit_code: 3 })
    expect(await textOf(server.client, read.output.replace('{session_id}', newer))).toBe('newer\n')
    // As the text of an answer names it.
    expect(await textOf(server.client, `terminal://runs/${newer.slice(0, 12)}/output`)).toBe('newer\n')
  })

  test('what a run printed is there as read_output shows it: without colours, both streams in their order', async () => {
    const id = idOf(await run(`printf '\\033[31mred\\033[0m\\n'; sleep 0.1; echo no >&2`))
    expect(await textOf(server.client, `terminal://runs/${id}/output`)).toBe('red\n[stderr] no')
  })

  test('what does not fit is said at both ends, with the offset and the call that reads on; together it is everything', async () => {
    const id = idOf(await run('seq 1 200000'))
    const first = await textOf(server.client, `terminal://runs/${id}/output`)
    const [head = '', ...rest] = first.trimEnd().split('\n')
    expect(head).toMatch(
      /^\[\d+ bytes from offset (\d+) on are not here; read terminal:.*\?cursor=\1 or call memory_terminal \{/,
    )
    expect(rest.at(-1)).toBe(head)
    const call = JSON.parse(/memory_terminal (\{.*\})\]$/.exec(head)?.[1] ?? '') as Record<string, unknown>
    expect((await server.headless(call)).data.result.stdout?.startsWith(`${Number(rest.at(-2)) + 1}\n`)).toBe(true)

    let whole = ''
    for (let uri: string | null = `terminal://runs/${id}/output`; uri !== null; ) {
      const lines: string[] = (await textOf(server.client, uri)).split('\n')
      uri = /read (terminal:\S+)/.exec(lines[0] ?? '')?.[1] ?? null
      whole += `${lines.filter(line => /^\d+$/.test(line)).join('\n')}\n`
    }
    expect(whole).toBe(`${Array.from({ length: 200_000 }, (_, i) => i + 1).join('\n')}\n`)
  })

  test('bytes that are no text come as bytes, and a run without output says how it ended', async () => {
    const binary = idOf(await run(`printf '\\377\\000\\001'`))
    const [content] = await read(server.client, `terminal://runs/${binary}/output`)
    expect(content).toMatchObject({
      mimeType: 'application/octet-stream',
      blob: Buffer.of(255, 0, 1).toString('base64'),
    })
    const silent = idOf(await run('exit 4'))
    expect(await textOf(server.client, `terminal://runs/${silent}/output`)).toBe('[exited 4; no output here]\n')
  })

  test('whatever cannot be read is refused with what can', async () => {
    expect(await refusal(server.client, 'terminal://runs/req_none/output')).toContain(
      'There is no run req_none. terminal://runs lists those that can be read here.',
    )
    expect(await refusal(server.client, 'terminal://runs/req_none/receipt')).toContain('There is no run req_none.')
    for (const uri of [
      'terminal://else',
      'terminal://runs/a b/output',
      'terminal://runs/x/screen',
      'file:///etc/passwd',
    ])
      expect(await refusal(server.client, uri)).toContain('No such resource. There are terminal://runs, ')
  })
})

test('a client that subscribed hears that a run prints, a few times a second at most, and that it has ended', async () => {
  const server = await openStdio()
  const began = performance.now()
  const seconds = () => (performance.now() - began) / 1000
  const heard = news(server.client)
  const line = server.place.shell(
    'until [ -e go ]; do sleep 0.05; done; for i in $(seq 1 100); do echo $i; sleep 0.01; done',
  )
  const id = idOf(await server.headless({ action: 'run', ...line, timeout_ms: 0 }))
  const [output, receipt] = [`terminal://runs/${id}/output`, `terminal://runs/${id}/receipt`]
  await server.client.subscribeResource({ uri: output })
  await server.client.subscribeResource({ uri: receipt })
  // Subscribed before it prints or ends, however busy the machine is.
  server.place.write('work/go', '')
  await eventually('the end is told', () => heard.includes(receipt))
  const told = heard.filter(uri => uri === output).length
  expect(told).toBeGreaterThanOrEqual(2)
  expect(told).toBeLessThanOrEqual(3.4 * (seconds() + 1))
  expect((await textOf(server.client, output)).endsWith('\n100\n')).toBe(true)
  expect(heard.filter(uri => uri === receipt)).toHaveLength(1)
  await expect(server.client.subscribeResource({ uri: 'terminal://runs/req_none/output' })).rejects.toThrow(
    'lists those',
  )
  await server.close()
})

test('whoever has listed the resources hears once that there is another run, and again after the next look', async () => {
  const server = await openStdio()
  const heard = news(server.client)
  const run = () => server.headless({ action: 'run', ...server.place.shell('true') })
  await run()
  await server.client.listResources()
  await run()
  await eventually('it is told', () => heard.length === 1)
  await run()
  await server.client.listResources()
  await run()
  await eventually('it is told again', () => heard.length === 2)
  expect(heard).toEqual(['the list', 'the list'])
  await server.close()
})

describe('over HTTP', () => {
  let server: OpenedHttp
  beforeAll(async () => {
    server = await openHttp()
  })
  afterAll(() => server.close())

  test.each(['legacy', 'auto'] as const)('a client lists, reads and hears of runs, %s', async mode => {
    const { client, call } = await server.connect(mode)
    const heard = news(client)
    const line = server.place.shell(`until [ -e ${mode} ]; do sleep 0.05; done; echo done`)
    const id = idOf(await call('memory_terminal', { action: 'run', ...line, cwd: server.work, timeout_ms: 0 }))
    const uri = `terminal://runs/${id}/output`
    if (mode === 'legacy') await client.subscribeResource({ uri })
    else await client.listen({ resourceSubscriptions: [uri] })
    server.place.write(`work/${mode}`, '')
    await eventually('it is told', () => heard.includes(uri))
    await eventually('all is there', async () => (await textOf(client, uri)) === 'done\n')
    expect((await client.listResources()).resources.map(each => each.uri)).toContain(uri)
  })
})
