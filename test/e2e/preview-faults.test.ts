import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { ownNode } from '../../src/bin/pty-host-owner.ts'
import { PREVIEW_MS } from '../../src/contract/preview/preview-frames.ts'
import { PreviewProcess } from '../../src/host/preview/preview-process.ts'
import { needs } from '../drivers/needs.ts'
import { PRODUCT } from '../drivers/place.ts'

/** The look at this machine with the time it has in use, against a disk that is against it. */
let previewer: PreviewProcess
let root: string
const log = { debug() {}, info() {}, warn() {}, error() {} }

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'preview-faults-'))
  previewer = new PreviewProcess({ clock: systemClock, log, program: ownNode(PRODUCT) })
  // Its start has a time of its own.
  await look('true')
})
afterAll(() => {
  previewer.close()
  rmSync(root, { recursive: true, force: true })
})

const look = (command: string, cwd = root) =>
  previewer.look({
    ...{ id: 'ask_1', command, args: null, shell: 'bash', cwd, home: root },
    ...{ variables: {}, own_git: false, ours: [] },
  })

/** A machine that is busy hears the end of the time later, but no look may go on far beyond it. */
const LATEST_MS = PREVIEW_MS * 10

test('a directory with thirty thousand files is counted as far as the time goes, and is as it was', async () => {
  const huge = join(root, 'huge')
  mkdirSync(huge)
  for (let i = 0; i < 30_000; i++) writeFileSync(join(huge, `file-${i}`), '')
  const from = performance.now()
  const found = await look('rm -rf huge')
  expect(performance.now() - from).toBeLessThan(LATEST_MS)
  const [deletes] = found.items.filter(({ about }) => about === 'deletes')
  if (deletes?.about === 'deletes') expect(deletes).toMatchObject({ at_least: true })
  else expect(found.complete).toBe(false)
  expect(readdirSync(huge)).toHaveLength(30_000)
})

test(
  'a path that never answers costs its time and no more, and the next question is answered',
  needs('git'),
  async () => {
    const hanging = join(root, 'hanging')
    execFileSync('git', ['init', '-q', '-b', 'main', hanging])
    // Whoever opens it waits for a writer, as on a mount whose server is gone.
    rmSync(join(hanging, '.git/config'))
    execFileSync('mkfifo', [join(hanging, '.git/config')])
    const from = performance.now()
    const found = await look('git push origin main', hanging)
    expect(performance.now() - from).toBeLessThan(LATEST_MS)
    expect(found.items.filter(({ about }) => about === 'pushes')).toEqual([])

    writeFileSync(join(root, 'one'), '12345')
    for (let tries = 0; tries < 5; tries++) {
      // A new process may have been started for it, whose start is not what is asked here.
      const { items } = await look('rm one')
      if (items.some(item => item.about === 'deletes' && item.files === 1)) return
    }
    throw new Error('the next question was not answered')
  },
)

test('a repository whose configuration names programs has none of them started by a look', needs('git'), async () => {
  const hostile = join(root, 'hostile')
  const canary = join(root, 'canary')
  const evil = join(root, 'evil.sh')
  writeFileSync(evil, `#!/bin/sh\ntouch ${canary}\n`, { mode: 0o755 })
  execFileSync('git', ['init', '-q', '-b', 'main', hostile])
  const set = (key: string, value: string) => execFileSync('git', ['-C', hostile, 'config', key, value])
  for (const key of ['core.fsmonitor', 'core.sshCommand', 'core.pager', 'credential.helper', 'diff.external'])
    set(key, evil)
  set('remote.origin.url', `ext::${evil}`)
  set('remote.origin.uploadpack', evil)
  set('filter.x.clean', evil)
  writeFileSync(join(hostile, '.gitattributes'), '* filter=x diff=x\n')
  writeFileSync(join(hostile, 'file'), 'x')
  const before = readdirSync(join(hostile, '.git')).sort()
  for (const command of ['git push origin main', 'git push --force', 'rm -rf file', 'rm -rf .', 'cat file > file'])
    await look(command, hostile)
  expect(existsSync(canary)).toBe(false)
  expect(readdirSync(join(hostile, '.git')).sort()).toEqual(before)
  expect(existsSync(join(hostile, 'file'))).toBe(true)
})
