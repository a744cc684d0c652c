import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readKeyFile } from '../../src/base/keys/key-file.ts'
import { commandLine, shellLine, typed } from '../drivers/command-line.ts'
import { FakeClient, type LiveHost, openLiveHost } from '../drivers/live-host.ts'
import { eventually } from '../drivers/mcp-client.ts'
import { needs } from '../drivers/needs.ts'
import { Place } from '../drivers/place.ts'

const ON_LOOPBACK = { PM_TERM_BRIDGE_ADDRESS: '127.0.0.1', PM_INTERACTIVE_TERMINAL_HOST_PORT: '0' }

describe('pairing without a host', () => {
  let place: Place
  beforeEach(() => {
    place = new Place()
  })
  afterEach(() => place.remove())
  const keyFile = (name: string) => join(place.home, 'state', 'keys', `${name}.key`)

  test(
    'a person pairs a container and gets what to copy, but the key is not on the screen',
    needs('script'),
    async () => {
      const { code, out } = await typed(place, ['pair', 'box'])
      expect(code).toBe(0)
      expect(statSync(keyFile('box')).mode & 0o777).toBe(0o600)
      const [, key = ''] = readFileSync(keyFile('box'), 'utf8').trim().split(' ')
      expect(key).toMatch(/^[0-9a-f]{64}$/)
      expect(out).not.toContain(key)
      for (const part of [
        `podman secret create interactive-terminal-box ${keyFile('box')}`,
        '--secret interactive-terminal-box,target=interactive-terminal.key,mode=0400,uid="$(id -u)"',
        'PM_INTERACTIVE_TERMINAL_KEY_FILE=/run/secrets/interactive-terminal.key',
        '-v "$PWD":"$PWD" -w "$PWD"',
        'interactive-terminal.cjs pair --revoke box',
      ])
        expect(out).toContain(part)
      expect((await commandLine(place, ['pair', '--list'])).out).toMatch(/^box +since /)
      expect(await typed(place, ['pair', 'box'])).toMatchObject({
        code: 2,
        out: expect.stringContaining('paired already'),
      })
    },
  )

  test('without a terminal nobody is let in', async () => {
    expect(await commandLine(place, ['pair', 'box'])).toMatchObject({
      code: 2,
      out: expect.stringContaining('Only a person'),
    })
    expect((await commandLine(place, ['pair', '--list'])).out).toContain('Nobody is paired')
  })

  test('a command that runs here cannot pair, not even with a terminal of its own', needs('script'), async () => {
    const { code, out } = await typed(place, ['pair', 'box'], { INTERACTIVE_TERMINAL_RUN: 'run_1' })
    expect([code, out.trim()]).toEqual([
      2,
      'A command that runs here cannot widen what may run. Use a terminal of your own.',
    ])
  })

  test.each(['local', 'approver', 'bridge', '../x', 'a b'])('%s is no name for a container', async name => {
    expect(await commandLine(place, ['pair', '--', name])).toMatchObject({ code: 2 })
  })

  test('what was paired can be revoked, once', needs('script'), async () => {
    await typed(place, ['pair', 'box'])
    expect(await commandLine(place, ['pair', '--revoke', 'box'])).toMatchObject({ code: 0 })
    expect(await commandLine(place, ['pair', '--revoke', 'box'])).toMatchObject({
      code: 2,
      out: 'Nobody is paired as "box".\n',
    })
    expect((await commandLine(place, ['verify'])).out).toContain('The journal is sound')
  })
})

describe('while a host runs', () => {
  let at: LiveHost
  beforeEach(async () => {
    at = await openLiveHost({ env: ON_LOOPBACK })
  })
  afterEach(() => at.close())
  const env = () => ({ PM_TERM_PORT: String(at.host.port) })
  const paired = async () => (await commandLine(at.place, ['pair', '--list'])).out

  test('A28: pairing is a question, and the key is made after the yes', async () => {
    const approver = await at.approver()
    const running = commandLine(at.place, ['pair', 'box'], env())
    const question = await approver.question()
    expect(question).toMatchObject({ kind: 'pairing', name: 'box', requester: 'local' })
    expect(await paired()).toContain('Nobody is paired')
    approver.approve(question)
    expect(await running).toMatchObject({ code: 0, out: expect.stringContaining('"box" is paired') })
    expect(await paired()).toContain('box')
  })

  test('a no is told with its reason, and nobody is let in', async () => {
    const approver = await at.approver()
    const running = commandLine(at.place, ['pair', 'box'], env())
    approver.decline(await approver.question(), 'not that one')
    expect(await running).toMatchObject({ code: 2, out: expect.stringContaining('A person declined: not that one.') })
    expect(await paired()).toContain('Nobody is paired')
  })

  test('A28: a run cannot pair: it is not even asked', async () => {
    const approver = await at.approver()
    const client = await at.client()
    const id = client.command(shellLine(['pair', 'box']), { working_directory: at.place.work })
    approver.approve(await approver.question(question => question.request_id === id))
    expect(await client.response(id)).toMatchObject({ output: expect.stringContaining('cannot widen what may run') })
    expect(approver.heard.all.filter(frame => frame.type === 'question')).toHaveLength(1)
  })

  test('§5: somebody who is paired cannot let others in', async () => {
    at.pair('box')
    const box = await at.client('box')
    const asked = box.ask('pairing_request', { name: 'friend' })
    expect(await box.heard.next('error', frame => frame.request_id === asked)).toMatchObject({
      error: { code: 'PM_TERM_APPROVAL_REQUIRED' },
    })
  })

  test('a container comes in over the bridge under its own name, and the person’s own key does not', async () => {
    at.pair('box')
    const box = await new FakeClient(await at.dial('box', at.keyOf('box'), at.bridgePort)).hello()
    expect(await box.heard.next('hello_ack')).toMatchObject({ identity: 'box' })
    const local = readKeyFile(join(at.state, 'local.key'))
    for (const name of ['local', 'approver', 'bridge', 'box'])
      await expect(at.dial(name, local, at.bridgePort)).rejects.toMatchObject({ problem: 'wrong_key' })
  })

  test('§5: revoking a container cuts it off where it is, and its key opens nothing any more', async () => {
    at.pair('box')
    at.pair('other')
    const key = at.keyOf('box')
    const box = await new FakeClient(await at.dial('box', key, at.bridgePort)).hello()
    const direct = await at.client('box')
    const other = await new FakeClient(await at.dial('other', at.keyOf('other'), at.bridgePort)).hello()
    expect(await commandLine(at.place, ['pair', '--revoke', 'box'], env())).toMatchObject({ code: 0 })
    await eventually('both are cut', () => box.closed !== null && direct.closed !== null)
    for (const port of [at.bridgePort, at.host.port])
      await expect(at.dial('box', key, port)).rejects.toMatchObject({ problem: 'wrong_key' })
    expect(other.closed).toBe(null)
  })

  test('a container that comes through the stand-alone bridge is cut off by the host, too', async () => {
    at.pair('box')
    const bridge = new FakeClient(await at.dial('bridge', readKeyFile(join(at.state, 'bridge.key'))))
    const versions = { protocol_version: 1, capabilities: [] }
    const hello = { ...versions, trace_id: 'trace_1', runtime_session_id: 'ses_1', peer: { name: 'box' } }
    bridge.send({ type: 'hello', ...hello })
    await bridge.heard.next('hello_ack')
    expect(await commandLine(at.place, ['pair', '--revoke', 'box'], env())).toMatchObject({ code: 0 })
    await eventually('it is cut', () => bridge.closed !== null)
  })

  test('§5: only the stand-alone bridge may say for whom it speaks, and only for somebody who is paired', async () => {
    at.pair('box')
    const says = async (identity: string, key: Buffer, peer: object) => {
      const client = new FakeClient(await at.dial(identity, key))
      client.send({
        type: 'hello',
        protocol_version: 1,
        capabilities: [],
        trace_id: 'trace_1',
        runtime_session_id: 'ses_1',
        ...peer,
      })
      await eventually('an answer', () => client.heard.all.length > 0)
      return client.heard.all[0]
    }
    const bridge = readKeyFile(join(at.state, 'bridge.key'))
    const local = readKeyFile(join(at.state, 'local.key'))
    const refused = { type: 'error', error: { code: 'PM_TERM_INVALID_PAYLOAD' } }
    expect(await says('bridge', bridge, { peer: { name: 'box' } })).toMatchObject({
      type: 'hello_ack',
      identity: 'box',
    })
    for (const [identity, key, peer] of [
      ['bridge', bridge, {}],
      ['bridge', bridge, { peer: { name: 'local' } }],
      ['bridge', bridge, { peer: { name: 'stranger' } }],
      ['local', local, { peer: { name: 'box' } }],
      ['box', at.keyOf('box'), { peer: { name: 'box' } }],
    ] as const)
      expect(await says(identity, key, peer)).toMatchObject(refused)
  })
})
