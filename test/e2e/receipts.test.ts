import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Receipt } from '../../src/contract/disk/receipt.ts'
import type { PersonAtTerminal } from '../drivers/approver.ts'
import { commandLine } from '../drivers/command-line.ts'
import { openLiveHost } from '../drivers/live-host.ts'
import { LivelyPlace } from '../drivers/lively-place.ts'
import { eventually, type Opened, openStdio } from '../drivers/mcp-client.ts'
import { needs } from '../drivers/needs.ts'

/** What a run leaves that can be checked later, in both lanes, and what `verify` says of it. */
async function textOf(server: Opened, uri: string): Promise<string> {
  const [content] = (await server.client.readResource({ uri })).contents
  return content && 'text' in content ? content.text : ''
}
const receiptOf = async (server: Opened, id: string | null): Promise<Receipt> =>
  Receipt.parse(JSON.parse(await textOf(server, `terminal://runs/${id}/receipt`)))

function verifying(place: Opened['place']) {
  return (receipt: unknown) => {
    const file = join(place.root, 'receipt.json')
    writeFileSync(file, JSON.stringify(receipt))
    return commandLine(place, ['verify', file])
  }
}

describe('without a window', () => {
  let server: Opened
  let verify: ReturnType<typeof verifying>
  const run = (line: string) => server.headless({ action: 'run', ...server.place.shell(line) })
  beforeAll(async () => {
    server = await openStdio({ named: { name: 'claude-code', version: '2.1' } })
    verify = verifying(server.place)
  })
  afterAll(() => server.close())

  test(
    'a receipt says what ran, where, by which rule, how it ended and what it printed; all of it holds',
    needs('git'),
    async () => {
      const git = (...args: string[]) => execFileSync('git', args, { cwd: server.work, encoding: 'utf8' }).trim()
      git('init', '-q', '-b', 'main')
      git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'first')
      const { data } = await run('echo one; exit 3')
      const receipt = await receiptOf(server, data.identity.session_id)
      expect(receipt).toMatchObject({
        session_id: data.identity.session_id,
        client: 'claude-code 2.1',
        lane: 'headless',
        args: ['echo one; exit 3'],
        cwd: server.work,
        plan_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        repository: { top: server.work, head: git('rev-parse', 'HEAD'), branch: 'main' },
        approved_by: 'allowlist',
        rule: expect.any(String),
        state: 'exited',
        exit_code: 3,
        output_bytes: 4,
        output: { kept_bytes: 4, sha256: createHash('sha256').update('one\n').digest('hex') },
        work_tree: { taken: 'when_read', head: git('rev-parse', 'HEAD'), files: 1, bytes: expect.any(Number) },
      })
      const { code, out } = await verify(receipt)
      expect(code).toBe(0)
      expect(out).toContain('holds         seal')
      expect(out).toMatch(/holds +exit_code +3 \(ledger\)/)
      expect(out).toMatch(/holds +work_tree +1 changed or untracked files .*the same now/)
      expect(out).toMatch(/not known +anchor +no host has seen these lines yet/)
      expect((await commandLine(server.place, ['verify', data.identity.session_id ?? ''])).code).toBe(0)
    },
  )

  test('one changed byte is found, and where a record knows better it says so', async () => {
    const receipt = await receiptOf(server, (await run('echo two')).data.identity.session_id)
    const { out } = await verify({ ...receipt, exit_code: 1 })
    expect(out).toMatch(/CONTRADICTED +seal +it was changed after it was made/)
    expect(out).toMatch(/CONTRADICTED +exit_code +1, but the ledger says 0/)
    const later = { ...receipt, made_at: receipt.made_at.replace(/\dZ$/, digit => `${(Number(digit[0]) + 1) % 10}Z`) }
    expect((await verify(later)).code).toBe(1)
    expect((await verify({ ...receipt, more: 1 })).code).toBe(1)
    expect((await verify({ ...receipt, lane: 'other' })).out).toContain('This is no receipt')
  })

  test('output that was changed on disk contradicts it; output that is gone can no longer be known', async () => {
    const receipt = await receiptOf(server, (await run('echo three')).data.identity.session_id)
    const runs = join(server.home, 'state', 'runs')
    const directory = join(runs, receipt.ledger.name, `run-${receipt.session_id}`)
    const log = join(directory, readdirSync(directory)[0] ?? '')
    writeFileSync(log, 'THREE\n')
    expect(await verify(receipt)).toMatchObject({ code: 1, out: expect.stringMatching(/CONTRADICTED +output/) })
    rmSync(log)
    expect(await verify(receipt)).toMatchObject({ code: 0, out: expect.stringMatching(/not known +output/) })
  })

  test('a ledger that was changed contradicts it', async () => {
    const receipt = await receiptOf(server, (await run('echo four; exit 5')).data.identity.session_id)
    const file = join(server.home, 'state', 'runs', receipt.ledger.name, 'ledger.jsonl')
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replace('"exit_code":5', '"exit_code":0'))
    expect(await verify(receipt)).toMatchObject({
      code: 1,
      out: expect.stringMatching(/CONTRADICTED +ledger .*changed/),
    })
    writeFileSync(file, text)
    expect((await verify(receipt)).code).toBe(0)
  })
})

describe('with a person', () => {
  let here: LivelyPlace
  let agent: Opened
  let person: PersonAtTerminal
  beforeAll(async () => {
    here = new LivelyPlace()
    agent = await here.server({ named: { name: 'codex', version: '1' } })
    await here.hostRuns(agent)
    person = await here.person()
  }, 30_000)
  afterAll(() => here.end(), 30_000)

  test('a receipt says who answered and where; journal and ledger both vouch for it, and a changed answer is found', async () => {
    const call = here.asks(agent, 'sh -c "echo asked"')
    await person.approves('sh -c "echo asked"')
    const { data } = await call
    const receipt = await receiptOf(agent, data.identity.session_id)
    expect(receipt).toMatchObject({
      client: 'codex 1',
      lane: 'interactive',
      command: 'sh -c "echo asked"',
      approved_by: 'person',
      answer: 'approve',
      answer_scope: 'once',
      answered_by: expect.any(String),
      answered_on: 'terminal',
      exit_code: 0,
      repository: null,
    })
    expect(receipt.journal?.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['received', 'judged', 'asked', 'answered', 'starting', 'started', 'ended']),
    )
    expect(await textOf(agent, `terminal://runs/${data.identity.session_id}/output`)).toBe('asked\n')

    const verify = verifying(here.place)
    const { code, out } = await verify(receipt)
    expect([code, out]).toEqual([0, expect.stringMatching(/holds +command +.* \(ledger, journal\)/)])
    expect(await verify({ ...receipt, answered_by: 'somebody else' })).toMatchObject({
      code: 1,
      out: expect.stringMatching(/CONTRADICTED +answered_by +"somebody else", but the journal says/),
    })
    expect((await commandLine(here.place, ['verify', receipt.session_id])).code).toBe(0)
  })

  test('a subscription hears that it was approved and that it has ended, whoever is at the other end', async () => {
    const heard: string[] = []
    agent.client.setNotificationHandler('notifications/resources/updated', ({ params }) => void heard.push(params.uri))
    const id = 'req_watched_one'
    const uri = `terminal://runs/${id}/receipt`
    const call = here.asks(agent, 'sh -c "sleep 1; echo seen"', { correlation: { request_id: id } })
    await eventually('it is there', () =>
      agent.client.subscribeResource({ uri }).then(
        () => true,
        () => false,
      ),
    )
    await person.approves('sh -c "sleep 1')
    await call
    await eventually('both are told', () => heard.filter(each => each === uri).length >= 2)
    expect((await receiptOf(agent, id)).state).toBe('exited')
    const list = JSON.parse(await textOf(agent, 'terminal://runs')) as { runs: { session_id: string }[] }
    expect(list.runs.map(({ session_id }) => session_id)).toContain(id)
  })
})

describe('from a container', () => {
  test('a client reads its own runs through the bridge, and nobody reads those of another', async () => {
    const at = await openLiveHost({
      env: { PM_TERM_BRIDGE_ADDRESS: '127.0.0.1', PM_INTERACTIVE_TERMINAL_HOST_PORT: '0' },
    })
    at.pair('box')
    const approver = await at.approver()
    const inside = await openStdio({
      env: {
        PM_RUNNING_IN_CONTAINER: 'true',
        PM_INTERACTIVE_TERMINAL_HOST_ALIAS: '127.0.0.1',
        PM_INTERACTIVE_TERMINAL_HOST_FALLBACK_ALIAS: '',
        PM_INTERACTIVE_TERMINAL_HOST_PORT: String(at.bridgePort),
        PM_INTERACTIVE_TERMINAL_KEY_FILE: join(at.state, 'keys', 'box.key'),
      },
    })

    const asked = inside.interactive({
      action: 'execute',
      invocation: { mode: 'interactive', intent: 'execute_command' },
      execution: { command: 'sh -c "echo inside"' },
      runtime: { cwd: at.place.work },
    })
    approver.approve(await approver.question())
    const { session_id } = (await asked).data.identity
    const receipt = await receiptOf(inside, session_id)
    expect(receipt).toMatchObject({ requester: 'box', answered_on: 'terminal' })
    expect(receipt.ledger.name).toMatch(/^clients\/box\//)
    expect(await textOf(inside, `terminal://runs/${session_id}/output`)).toBe('inside\n')
    expect(await verifying(at.place)(receipt)).toMatchObject({ code: 0, out: expect.stringMatching(/holds +seal/) })

    const local = await at.client()
    const own = local.command('sh -c "echo outside"', { workspace_path: at.place.work })
    approver.approve(await approver.question(each => each.request_id === own))
    await local.response(own)
    for (const what of ['output', 'receipt'])
      await expect(textOf(inside, `terminal://runs/${own}/${what}`)).rejects.toThrow(`There is no run ${own}.`)
    await expect(inside.client.subscribeResource({ uri: `terminal://runs/${own}/output` })).rejects.toThrow(
      'There is no',
    )
    const foreign = local.ask('read_receipt', { session_id: receipt.session_id })
    expect((await local.heard.next('error', frame => frame.request_id === foreign)).error.code).toBe(
      'PM_TERM_NOT_FOUND',
    )
    expect(await textOf(inside, 'terminal://runs')).not.toContain(own)

    await inside.close()
    await at.close()
  })
})
