import { appendFileSync, cpSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { endedRun, HostProcesses, type Met, readAll } from '../drivers/host-process.ts'
import { eventually } from '../drivers/mcp-client.ts'
import { needs } from '../drivers/needs.ts'
import { SmallDisk } from '../drivers/small-disk.ts'

describe('a host whose state is on a disk that fills up', needs('root'), () => {
  let hosts: HostProcesses
  let disk: SmallDisk
  let at: Met

  beforeEach(async () => {
    hosts = new HostProcesses({
      PM_TERM_APPROVER_WAIT_MS: '2000',
      PM_TERM_KILL_GRACE_MS: '300',
      PM_TERM_WINDOW: 'never',
    })
    hosts.place.shell('true')
    disk = new SmallDisk(6)
    const state = join(hosts.place.home, 'state')
    mkdirSync(join(disk.root, 'state'), { mode: 0o700 })
    if (existsSync(state)) cpSync(state, join(disk.root, 'state'), { recursive: true })
    rmSync(state, { recursive: true, force: true })
    symlinkSync(join(disk.root, 'state'), state)
    hosts.logFile = () => join(disk.root, 'host.log')
    await hosts.start()
    at = await hosts.meet()
  })
  afterEach(async () => {
    disk.empty()
    await hosts.close()
    disk.close()
  })

  const ask = (line: string) => at.client.command(line, { working_directory: hosts.place.work })
  const answerTo = async (id: string) =>
    at.client.heard.next('command_response', frame => frame.request_id === id, 20_000)

  test('what is said not to have run has not run, and what runs can be ended', async () => {
    const ran: string[] = []
    const said: string[] = []
    for (let round = 0; round < 10; round++) {
      // Each time the last free byte is used up by another line of what is written down about a run.
      const id = ask(`echo ${round} >> ran; sleep 30; : ${'x'.repeat(round * 331)}`)
      const question = await at.approver.question(each => each.request_id === id)
      // Full to the last byte while the person reads, then a little room at a time, until their answer counts.
      disk.fill()
      disk.giveBack(round === 9 ? 300_000 : round * 700)
      const refused = () => at.approver.heard.all.filter(each => each.type === 'answer_refused').length
      const answered = () =>
        at.approver.heard.all.some(each => each.type === 'answered' && each.ask_id === question.ask_id)
      for (let tries = 0; tries < 40 && !answered(); tries++) {
        const before = refused()
        at.approver.approve(question)
        await eventually('an answer to the answer', () => answered() || refused() > before)
        if (!answered()) disk.giveBack(1024)
      }
      expect(answered()).toBe(true)
      // Either it runs, or it is said that it does not.
      const over = () => at.client.heard.all.find(each => each.type === 'command_response' && each.request_id === id)
      await eventually(
        'it runs or is over',
        () => over() !== undefined || hosts.place.read('work/ran').includes(`${round}`),
      )
      const response = over()
      if (response) said.push(`not ${round}`)
      else {
        const kill = at.client.ask('kill', { session_id: id })
        const killed = await at.client.heard.next('killed', each => each.request_id === kill, 20_000)
        expect([killed.state, killed.survivors ?? []]).toEqual(['killed', []])
        said.push(`${round}`)
      }
      disk.empty()
      ran.push(hosts.place.read('work/ran').includes(`${round}`) ? `${round}` : `not ${round}`)
    }
    expect(said).toEqual(ran)
    expect(ran.at(-1)).toBe('9')
  }, 60_000)

  test('a command that runs goes on to its end, however much is logged meanwhile; new ones are refused with the reason', async () => {
    const id = hosts.line(at.client, 'while [ ! -e go ]; do sleep 0.05; done; exit 7')
    await eventually('it runs', async () => {
      const list = at.client.ask('list')
      const listed = await at.client.heard.next('listed', each => each.request_id === list)
      return listed.items.some(item => item.session_id === id && item.state === 'running')
    })
    disk.fill()
    for (let i = 0; i < 30; i++) {
      const refused = hosts.line(at.client, `echo never >> ran`)
      const error = await at.client.heard.next('error', each => each.request_id === refused)
      expect(error.error.message).toMatch(/so nothing was started: .*(is full|ENOSPC|no space)/i)
    }
    // An older log whose last block is full.
    try {
      appendFileSync(hosts.logFile(), 'x'.repeat(8192))
    } catch {
      // as full as can be
    }
    hosts.place.write('work/go', '')
    expect(await endedRun(at.client, id)).toMatchObject({ state: 'exited', exit_code: 7 })
    expect(hosts.place.read('work/ran')).toBe('')
    disk.empty()
    const next = hosts.line(at.client, 'echo works again')
    await answerTo(next)
    expect((await readAll(at.client, next)).text.trim()).toBe('works again')
  })

  test('when the host dies on a full disk, its commands live on and the next host has every byte', async () => {
    const id = hosts.line(at.client, 'echo begun; while [ ! -e go ]; do sleep 0.05; done; echo done; exit 5')
    await eventually('it has printed', async () => (await readAll(at.client, id)).text.includes('begun'))
    const log = join(hosts.place.home, 'state', 'pty-host.log')
    disk.fill()
    try {
      // The last block of the log is full as well.
      for (let i = 0; i < 4096; i++) appendFileSync(log, 'x')
    } catch {
      // as full as can be
    }
    await hosts.kill('host')
    hosts.place.write('work/go', '')
    disk.empty()
    await hosts.start()
    at = await hosts.meet()
    expect(await endedRun(at.client, id)).toMatchObject({ state: 'exited', exit_code: 5 })
    expect((await readAll(at.client, id)).text.replaceAll('\r', '')).toBe('begun\ndone\n')
  })
})
