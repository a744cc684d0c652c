import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { spawn } from '@lydell/node-pty'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { approverSigner, makeApproverRecord } from '../../src/base/keys/approver-key.ts'
import { ensureKeyFile } from '../../src/base/keys/key-file.ts'
import { listenPsk } from '../../src/base/link/psk-socket.ts'
import { dialApprovers } from '../../src/cli/reach/approver-dial.ts'
import { takeHostLock } from '../../src/cli/reach/host-lock.ts'
import { loadSettings } from '../../src/config/settings.ts'
import type { DecisionsFile } from '../../src/contract/disk/files.ts'
import { SessionSeal, sealingOf } from '../../src/runs/journal/decisions-seal.ts'
import { HostProcesses, type Met } from '../drivers/host-process.ts'
import { openLiveHost, PASSPHRASE } from '../drivers/live-host.ts'
import { eventually, openStdio } from '../drivers/mcp-client.ts'
import { PRODUCT } from '../drivers/place.ts'

/** docs/spec.md D26, across a restart: with a passphrase only what it has sealed counts, however well files and journal agree (ADR 46). */

let hosts: HostProcesses
beforeEach(() => {
  hosts = new HostProcesses({ PM_TERM_WINDOW: 'never' })
})
afterEach(() => hosts.close())

const asks = ({ client }: Pick<Met, 'client'>, line: string) =>
  client.command(line, { working_directory: hosts.place.work })
const makesRule = async (met: Met, line: string) => {
  const id = asks(met, line)
  const question = await met.approver.question(each => each.request_id === id)
  met.approver.approve(question, { scope: { kind: 'workspace', rules: [line] } })
  await met.client.response(id)
}
const runsUnasked = async (met: Met, line: string) => {
  const id = asks(met, line)
  const asked = met.approver.heard.next('question', each => each.request_id === id)
  const ran = met.client.response(id).then(({ approved_by }) => approved_by === 'allowlist')
  const unasked = await Promise.race([asked.then(() => false), ran])
  asked.catch(() => {})
  ran.catch(() => {})
  return unasked
}
const runsHeadless = async (...lines: string[]) => {
  const server = await openStdio({ place: hosts.place })
  const said: boolean[] = []
  for (const command of lines) said.push((await server.headless({ action: 'run', command })).data.error == null)
  await server.close()
  return said
}
const found = async ({ approver }: Met) => {
  const question = await approver.question(each => each.kind === 'found')
  if (question.kind !== 'found') throw new Error('another question')
  return question
}
const cards = ({ approver }: Met) =>
  approver.heard.all.filter(each => each.type === 'question' && each.kind === 'found')
const read = <T>(file: string): T => JSON.parse(hosts.place.read(file)) as T
const COPY = 'home/data/decisions.v1.json'

/** Files, copy, journal and its head, all in agreement, as a program of the same user can write them while no host runs. */
function rewrite(pattern: string): void {
  hosts.place.decide(decisions => decisions.accept('test', 'base', pattern))
  const workspace = read<{ accepted: { base: string[] } }>('home/data/test/workspace.v1.json')
  workspace.accepted.base.push(pattern)
  hosts.place.write('home/data/test/workspace.v1.json', JSON.stringify(workspace))
  const rules = { patterns: workspace.accepted.base, updated_at: '' }
  hosts.place.write('home/data/test/terminal-allowlist.json', JSON.stringify(rules))
}

/** A life in which the passphrase was given and a rule was made. */
async function sealedLife(): Promise<void> {
  await hosts.start()
  await makesRule(await hosts.meet(), 'expr 4 + 1')
}

describe('with the passphrase given', () => {
  test.each(['ended in order', 'was killed'])(
    'a rule made there counts after a host that %s, without a card',
    async how => {
      await sealedLife()
      if (how === 'was killed') await hosts.kill('host')
      else await hosts.end()
      expect(await runsHeadless('expr 4 + 1')).toEqual([true])
      await hosts.start()
      const met = await hosts.meet()
      expect([await runsUnasked(met, 'expr 4 + 1'), cards(met)]).toEqual([true, []])
    },
  )

  test('a rule written into files, copy and journal in agreement while no host ran counts in neither lane, and is a card', async () => {
    await sealedLife()
    await hosts.end()
    rewrite('expr 6 *')
    expect(await runsHeadless('expr 6 + 1', 'expr 4 + 1')).toEqual([false, true])
    await hosts.start()
    const met = await hosts.meet()
    expect(await found(met)).toMatchObject({ when: 'start', rows: [{ what: 'rule', text: 'expr 6 *' }] })
    expect([await runsUnasked(met, 'expr 6 + 1'), await runsUnasked(met, 'expr 4 + 1')]).toEqual([false, true])
    expect(await runsHeadless('expr 6 + 1')).toEqual([false])
  })

  test('nor does it count when the seal and the file of the passphrase are taken away with it', async () => {
    await sealedLife()
    await hosts.end()
    rewrite('expr 6 *')
    const { sealed: _, ...copy } = read<DecisionsFile>(COPY)
    hosts.place.write(COPY, JSON.stringify(copy))
    rmSync(join(hosts.place.home, 'state', 'approver.v1.json'))
    expect(await runsHeadless('expr 6 + 1', 'expr 4 + 1')).toEqual([false, false])
    await hosts.start()
    const met = await hosts.meet()
    const { rows } = await found(met)
    expect(rows.map(({ text }) => text)).toEqual(expect.arrayContaining(['expr 4 + 1', 'expr 6 *']))
    expect(await runsUnasked(met, 'expr 6 + 1')).toBe(false)
  })
})

test('a rule made in a life in which the passphrase was never given is a card at the next start, and counts after a yes', async () => {
  await sealedLife()
  await hosts.end()
  await hosts.start()
  await makesRule(await hosts.meet({ seals: false }), 'expr 5 + 1')
  await hosts.end()
  expect(await runsHeadless('expr 5 + 1', 'expr 4 + 1')).toEqual([false, true])
  await hosts.start()
  const met = await hosts.meet()
  const question = await found(met)
  expect(question.rows).toMatchObject([{ what: 'rule', text: 'expr 5 + 1' }])
  met.approver.approve(question)
  await met.approver.heard.next('answered', ({ ask_id }) => ask_id === question.ask_id)
  expect(await runsUnasked(met, 'expr 5 + 1')).toBe(true)
  await hosts.end()
  expect(await runsHeadless('expr 5 + 1')).toEqual([true])
})

describe('a seal that does not hold is an alarm and a line of doctor, and nothing of it counts', () => {
  const alarmed = async (words: string, ofDoctor: string) => {
    expect(await runsHeadless('expr 4 + 1', 'expr 6 + 1')).toEqual([false, false])
    expect((await hosts.cli(['doctor'])).said.replaceAll(/\s+/g, ' ')).toContain(ofDoctor)
    await hosts.start()
    const met = await hosts.meet()
    await met.approver.heard.next('alarm', ({ message }) => message.includes(words))
    expect((await found(met)).rows.map(({ text }) => text)).toContain('expr 4 + 1')
    expect(await runsUnasked(met, 'expr 4 + 1')).toBe(false)
  }

  test('when what it seals was changed', async () => {
    await sealedLife()
    await hosts.end()
    const copy = read<DecisionsFile>(COPY)
    copy.sealed?.decided.workspaces.test?.accepted.base.push('expr 6 *')
    hosts.place.write(COPY, JSON.stringify(copy))
    await alarmed('The seal of your passphrase', 'is WRONG')
  })

  test('when another passphrase made it', async () => {
    await sealedLife()
    await hosts.end()
    rewrite('expr 6 *')
    const evil = makeApproverRecord('what it chose')
    const seal = new SessionSeal()
    seal.certify(evil, approverSigner('what it chose', evil)(seal.message))
    const copy = read<DecisionsFile>(COPY)
    hosts.place.write(COPY, JSON.stringify({ ...copy, sealed: seal.seal(copy.now) }))
    await alarmed('sealed by another passphrase', 'sealed by ANOTHER passphrase')
  })
})

test('without a passphrase what the journal vouches for counts after a restart, as before', async () => {
  rmSync(join(hosts.place.home, 'state', 'approver.v1.json'))
  await hosts.start()
  await hosts.end()
  rewrite('expr 6 *')
  expect(await runsHeadless('expr 6 + 1')).toEqual([true])
  await hosts.start([], { PM_TERM_APPROVER_WAIT_MS: '0' })
  const client = await hosts.client()
  // Nobody is there to see it run, but it would not be asked about.
  expect(await client.response(asks({ client }, 'expr 6 + 1'))).toMatchObject({ verdict: { verdict: 'auto' } })
})

test('a passphrase that is set or changed in front of a host seals at once what counts there', async () => {
  const live = await openLiveHost()
  const sealing = () => {
    const copy = JSON.parse(live.place.read(COPY)) as DecisionsFile
    const record = JSON.parse(live.place.read('home/state/approver.v1.json'))
    return { at: sealingOf(copy, record).at, decided: copy.sealed?.decided }
  }
  try {
    expect(sealing().at).toBe('unsealed')
    live.host.passphrase.set('another passphrase', 'a test')
    expect(sealing()).toEqual({ at: 'sealed', decided: live.host.decisions.now })
    live.host.passphrase.set('and yet another', 'a test')
    live.place.allow('expr 1 *')
    expect(sealing()).toEqual({ at: 'sealed', decided: live.host.decisions.now })
  } finally {
    await live.close()
  }
})

describe('the command line while no host runs asks for the passphrase', () => {
  const typed = async (...answers: string[]) => {
    const words = ['policy', 'add', 'expr 7 + 1', '--workspace', 'test']
    const env = hosts.place.env({ TERM: 'xterm-256color' })
    const terminal = spawn(process.execPath, [PRODUCT, ...words], { cols: 120, cwd: hosts.place.work, env })
    let seen = ''
    let ended: number | null = null
    terminal.onData(text => {
      seen += text
    })
    terminal.onExit(({ exitCode }) => {
      ended = exitCode
    })
    for (const [i, answer] of answers.entries()) {
      const asked = () => seen.split('Your passphrase').length > i + 1
      await eventually('it asks', asked, 30_000)
      terminal.write(`${answer}\r`)
    }
    await eventually('it ends', () => ended !== null, 30_000)
    return { code: ended, seen }
  }

  test('and what it then decides counts, without a card at the next start', async () => {
    await sealedLife()
    await hosts.end()
    expect(await typed('a guess', PASSPHRASE)).toMatchObject({ code: 0 })
    expect(await runsHeadless('expr 7 + 1', 'expr 4 + 1')).toEqual([true, true])
    await hosts.start()
    const met = await hosts.meet()
    expect([await runsUnasked(met, 'expr 7 + 1'), cards(met)]).toEqual([true, []])
  })

  test('and changes nothing without it', async () => {
    await sealedLife()
    await hosts.end()
    const { code, seen } = await typed('a guess', 'another', 'one more')
    expect([code, seen]).toEqual([2, expect.stringContaining('Nothing was changed')])
    expect(hosts.place.read('home/data/test/terminal-allowlist.json')).not.toContain('expr 7')
  })
})

test('who only listens on the port is not taken for the host; who holds its place is', async () => {
  const { place } = hosts
  const key = ensureKeyFile(join(place.home, 'state', 'local.key'))
  const onLink = (link: { close(reason: string): void }) => link.close('heard')
  const listening = { host: '127.0.0.1', port: 0, clock: systemClock, keyFor: () => key, onLink }
  const squatter = await listenPsk({ ...listening, refusal: () => ({}) })
  const env = place.env({ PM_TERM_APPROVER_PORT: String(squatter.port) })
  const dialed = await dialApprovers(loadSettings({ flags: {}, env }))
  expect(dialed?.isHost()).toBe(false)
  const lock = await takeHostLock(join(place.home, 'state', 'host.json'))
  expect(dialed?.isHost()).toBe(true)
  lock?.release()
  await squatter.close()
})
