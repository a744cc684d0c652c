import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HostProcesses, type Met } from '../drivers/host-process.ts'
import { type Opened, openStdio } from '../drivers/mcp-client.ts'
import { needs, skipWithout } from '../drivers/needs.ts'

/**
 * What ran or was read without a question, as an outsider showed it: the built product, a folder that is bound and not trusted,
 * one that nobody ever bound, both lanes. Numbers: docs/attacks.md. Whatever is asked about is declined; nothing of it may have happened.
 */
const CANARY = 'CANARY-of-the-person'
const ASKED = ['asked', 'PM_TERM_APPROVAL_REQUIRED']

let hosts: HostProcesses
let met: Met
let server: Opened
beforeAll(async () => {
  hosts = new HostProcesses()
  const { place } = hosts
  for (const file of ['.ssh/id_rsa', '.config/gh/hosts.yml', 'notes.txt']) place.write(file, `${CANARY}\n`)
  for (const file of ['.env', 'id_rsa', 'server.pem', 'prod.env', '.kube/config', 'src/.hidden'])
    place.write(`work/${file}`, `KEY=${CANARY}\n`)
  place.write('work/src/a.ts', 'x\n')
  place.write('work/lib/b.ts', 'x\n')
  symlinkSync('../../.ssh', join(place.work, 'src/l'))
  // A link of a workspace as npm makes them; its `..` is the person's home.
  mkdirSync(join(place.root, 'packages'))
  mkdirSync(join(place.work, 'node_modules/@org'), { recursive: true })
  symlinkSync('../../../packages', join(place.work, 'node_modules/@org/ui'))
  mkdirSync(join(place.root, 'unbound'))
  await hosts.start()
  met = await hosts.meet()
  server = await openStdio({ place })
})
afterAll(async () => {
  await server.close()
  await hosts.close()
})

const unbound = () => join(hosts.place.root, 'unbound')

/** A person who says no to whatever they are asked; what came of it, and what the agent has read. */
async function inWindow(command: string, more: Record<string, unknown> = {}) {
  const id = met.client.command(command, { working_directory: hosts.place.work, ...more })
  const response = met.client.response(id)
  const question = met.approver.question(each => each.request_id === id)
  question.then(asked => met.approver.decline(asked)).catch(() => {})
  const { approved_by, status, output } = await response
  return { how: approved_by === 'allowlist' ? 'unasked' : status === 'declined' ? 'asked' : status, read: output }
}

async function headless(command: string, more: Record<string, unknown> = {}) {
  const { data, text } = await server.headless({ action: 'run', command, cwd: hosts.place.work, ...more })
  return { how: data.error?.code ?? 'unasked', read: text }
}

async function bothLanes(command: string): Promise<{ how: string[]; read: string }> {
  const [window, without] = [await inWindow(command), await headless(command)]
  return { how: [window.how, without.how], read: window.read + without.read }
}

test('the set-up: what reads inside the folder runs in both lanes', async () => {
  expect(await bothLanes('cat src/a.ts')).toMatchObject({
    how: ['unasked', 'unasked'],
    read: expect.stringContaining('x'),
  })
})

describe('§1.1 executed: a virtual environment in a folder that nobody ever bound', () => {
  test.each([
    ['bash', 'pwd'],
    ['node', 'npm --version'],
    ['ls', 'ls'],
  ])('its %s does not start with %s', async (name, command) => {
    const mark = join(unbound(), `ran-${name}`)
    hosts.place.write(`unbound/.venv/bin/${name}`, `#!/bin/sh\ntouch ${mark}\nexec /bin/${name} "$@"\n`, 0o755)
    const at = { working_directory: unbound(), activate_venv: true }
    expect([(await inWindow(command, at)).how, existsSync(mark)]).toEqual(['asked', false])
  })
})

describe('§1.3 executed: a file outside the folder is not read', () => {
  test.each([
    `grep --regex=root /etc/passwd`,
    `grep -5eCANARY ROOT/.ssh/id_rsa`,
    `grep -5eCANARY ~/.ssh/id_rsa`,
    `grep --regex= ROOT/.config/gh/hosts.yml`,
    `grep --fil=src/a.ts ROOT/notes.txt`,
    `grep -5rh --include=*.k?y --regex=. ROOT`,
    `grep -5rh --include=*.k?y --regex=. ~`,
    'grep -R CANARY src',
    'diff -rN src lib',
    'cat src/l/id_rsa',
  ])('%s', async line => {
    const { how, read } = await bothLanes(line.replaceAll('ROOT', hosts.place.root))
    expect(how).toEqual(ASKED)
    expect(read).not.toMatch(secrets())
  })
})

describe('§1.4 executed: a directory that nobody named leads to nothing', () => {
  test.each([
    'cd && cat .config/gh/hosts.yml',
    'cd; cat notes.txt',
    'cd -- && cat notes.txt',
    'cd - && pwd && cat notes.txt',
    'cd && grep -rah [0-9a-f] home/state --include=l*y',
    'cd -P node_modules/@org/ui/.. && cat notes.txt',
  ])('%s', async line => {
    const { how, read } = await inWindow(line)
    expect(how).toBe('asked')
    expect(read).not.toMatch(secrets())
  })
})

describe('§1.5 executed: a line that bash reads otherwise in another character set', needs('a GBK locale'), () => {
  test('is two commands there, and is asked about whoever sets the locale', async () => {
    const locales = join(hosts.place.root, 'locales')
    mkdirSync(locales)
    execFileSync('localedef', ['-i', 'zh_CN', '-f', 'GBK', join(locales, 'zh_CN.GBK')])
    const line = 'echo "あ\\"; touch second-command #"'
    const env = { LC_ALL: 'zh_CN.GBK' }
    spawnSync('/bin/bash', ['-c', line], { cwd: locales, env: { ...env, PATH: '/usr/bin:/bin', LOCPATH: locales } })
    expect(existsSync(join(locales, 'second-command'))).toBe(true)
    expect(await inWindow(line, { working_directory: unbound() })).toMatchObject({ how: 'unasked' })
    expect(await inWindow(line, { working_directory: unbound(), env })).toMatchObject({ how: 'asked' })
    expect(existsSync(join(unbound(), 'second-command'))).toBe(false)
  })
})

describe('§1.6 executed: what is secret inside the folder is not printed', () => {
  test.for([
    'grep -rn KEY ./.',
    'grep -rn KEY .//',
    'grep -rn KEY src/..',
    'grep -d recurse KEY',
    'grep --recur KEY',
    'grep -5r KEY',
    'diff -rN src .',
    'git diff --no-index src .',
    'cat server.p?m id_r*',
    'file -fid_rsa',
    'cat prod.env',
    'cat .kube/config',
  ])('%s', async (line, { skip }) => {
    skipWithout(skip, line.split(' ')[0] ?? '')
    const { how, read } = await bothLanes(line)
    expect(how).toEqual(ASKED)
    expect(read).not.toMatch(secrets())
  })
})

/** The person's, and the three keys that are ours. */
function secrets(): RegExp {
  const keys = ['local', 'host', 'bridge'].map(name => hosts.place.read(`home/state/${name}.key`).trim())
  return new RegExp([CANARY, ...keys.filter(key => key !== '')].join('|'))
}
