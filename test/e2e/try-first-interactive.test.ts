import type { ChildProcess } from 'node:child_process'
import { chownSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Host } from '../../src/host/host.ts'
import { type FakeApprover, type FakeClient, LiveHost, setPassphrase } from '../drivers/live-host.ts'
import { endOf, eventually } from '../drivers/mcp-client.ts'
import { needs } from '../drivers/needs.ts'
import { giveToUser, startAsUser } from '../drivers/ordinary-user.ts'
import { Place, PRODUCT } from '../drivers/place.ts'

describe('a host in a folder that tries first', needs('a sandbox'), () => {
  const place = new Place()
  let host: ChildProcess
  let client: FakeClient
  let approver: FakeApprover
  let live: LiveHost

  beforeAll(async () => {
    setPassphrase(place)
    place.write('work/text.txt', 'some text\n')
    place.write('work/.env', 'TOKEN=of-the-person\n')
    place.decide(decisions => decisions.bind('test', place.work, false, true))
    host = startAsUser(process.execPath, [PRODUCT, 'host'], { cwd: place.root, env: giveToUser(place) })
    const told = () =>
      JSON.parse(place.read('home/state/host.json') || 'null') as { port: number; approver_port: number } | null
    await eventually('the host is ready', () => told() !== null)
    // The host knows its key by now; who plays the client may run as another user.
    chownSync(join(place.state, 'local.key'), process.getuid?.() ?? 0, process.getgid?.() ?? 0)
    live = new LiveHost(place, { port: told()?.port, approverPort: told()?.approver_port } as Host)
    client = await live.client()
    approver = await live.approver()
  })
  afterAll(async () => {
    await endOf(host)
    place.remove()
  })

  const send = (line: string, more: Record<string, unknown> = {}): string =>
    client.command(line, { working_directory: place.work, ...more })
  const rowsOf = (id: string) => live.journal().filter(row => row.run_id === id)
  /** Rows that tell of an end may be written a moment after the answer. */
  const endOfRun = (id: string) =>
    eventually('the end is in the journal', () => rowsOf(id).some(({ kind }) => kind === 'ended'))

  test('a line that no rule covers runs in its tab without a question, and the journal has it before it starts', async () => {
    const id = send('for f in *.txt; do tr a-z A-Z < $f; done; tty >/dev/null && echo terminal')
    const answer = await client.response(id)
    expect(answer).toMatchObject({
      state: 'exited',
      exit_code: 0,
      authorization: 'allowed',
      sandbox: { mode: 'read_only', changes: 0 },
    })
    expect(answer.output).toContain('SOME TEXT')
    expect(answer.output).toContain('terminal')
    await endOfRun(id)
    const rows = rowsOf(id)
    expect(rows.map(({ kind }) => kind).slice(0, 4)).toEqual(['received', 'judged', 'starting', 'started'])
    expect(JSON.parse(rows[1]?.body ?? '{}')).toMatchObject({ verdict: 'try' })
    expect(JSON.parse(rows[2]?.body ?? '{}')).toMatchObject({
      sandbox: { mode: 'read_only', profile: expect.stringMatching(/^[0-9a-f]{64}$/), network: [] },
    })
  })

  test('what fails for want of the outside becomes the ordinary question with the evidence, and runs once it is approved', async () => {
    const id = send("printf x | python3 -c \"open('new.txt', 'w').write('x')\"; ls new.txt")
    const question = await approver.question(question => question.request_id === id)
    expect(question).toMatchObject({
      verdict: {
        verdict: 'approval',
        why: expect.stringMatching(/in the sandbox, it failed for want of a place to write .*Read-only file system/),
      },
    })
    expect(readdirSync(place.work)).not.toContain('new.txt')
    approver.approve(question)
    const answer = await client.response(id)
    expect(answer).toMatchObject({ state: 'exited', exit_code: 0, authorization: 'allowed_with_warning' })
    expect(answer.output).toContain('new.txt')
    expect(answer.output).not.toContain('Read-only')
    expect(answer.sandbox).toBeUndefined()
    await endOfRun(id)
    const first = ['received', 'judged', 'starting', 'started', 'sandbox_refused']
    const then = ['judged', 'asked', 'answered', 'starting', 'started']
    expect(
      rowsOf(id)
        .map(({ kind }) => kind)
        .slice(0, 10),
    ).toEqual([...first, ...then])
  })

  test('one that is declined then did not run, and says why it was asked', async () => {
    const id = send("python3 -c \"open('other.txt', 'w')\"")
    approver.decline(await approver.question(question => question.request_id === id))
    const answer = await client.response(id)
    expect(answer).toMatchObject({ state: 'declined', sandbox: { wanted: { what: 'write' } } })
    expect(readdirSync(place.work)).not.toContain('other.txt')
  })

  test('a plan made for the sandbox is another plan: the same line approved for real has another hash', async () => {
    const tried = await client.response(send('wc -c text.txt | cat'))
    const id = send('wc -c text.txt | cat', { approval_required: true })
    const question = await approver.question(question => question.request_id === id)
    expect(question.plan_hash).not.toBe(tried.plan_hash)
    approver.approve(question)
    expect(await client.response(id)).not.toHaveProperty('sandbox')
  })

  test('Ctrl+C reaches the program in it, and not only what is around', async () => {
    const line =
      "python3 -c \"\nimport signal, sys, time\nsignal.signal(signal.SIGINT, lambda *a: (print(chr(104)+'eard'), sys.exit(5)))\nprint('wa'+'its', flush=True)\ntime.sleep(60)\""
    const id = send(line)
    const accepted = await client.heard.next('progress', frame => frame.request_id === id && frame.phase === 'running')
    expect(accepted).toBeDefined()
    const { terminal_id } = await client.heard.next('accepted', frame => frame.request_id === id)
    await eventually('it waits', async () => {
      const request = client.ask('read_output', { session_id: id })
      return (await client.heard.next('output', frame => frame.request_id === request)).output.includes('waits')
    })
    approver.send({
      type: 'terminal_input',
      terminal_id: terminal_id ?? '',
      data: Buffer.from('\u0003').toString('base64'),
    })
    const answer = await client.response(id)
    expect(answer).toMatchObject({ state: 'exited', exit_code: 5 })
    expect(answer.output).toContain('heard')
  })
})
