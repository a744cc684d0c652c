import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { RuleReplay } from '../../contract/window/rules-frames.ts'
import type { HostToWindow, WindowFrame } from '../../contract/window/window-frames.ts'
import { Decisions } from '../../policy/files/decisions.ts'
import { RuleFiles } from '../../policy/files/rule-files.ts'
import type { Journal } from '../../runs/journal/journal.ts'
import type { JournalEntry } from '../../runs/journal/journal-row.ts'
import { rulesPage } from './rules.ts'

const places: string[] = []
afterEach(() => {
  for (const place of places.splice(0)) rmSync(place, { recursive: true, force: true })
})

const NOTHING_ASKED: RuleReplay = { asked: 0, approves: 0, declined: 0, rows: [], is_part: false }
const DECLINED = { command: 'mytool go', cwd: '/w', at: 0, reason: 'No.', stands: true }

function opened({ replay = NOTHING_ASKED, append = (_: JournalEntry): void => {} } = {}) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'it-rules-page-')))
  places.push(root)
  const rows: JournalEntry[] = []
  const journal = {
    append(entry: JournalEntry) {
      append(entry)
      rows.push(entry)
    },
  } as Journal
  const ruleFiles = new RuleFiles({ dataDir: join(root, 'data'), now: () => 0, decisions: new Decisions() })
  const project = mkdtempSync(join(root, 'shop-'))
  ruleFiles.bind('shop', project, false)
  const sent: HostToWindow[] = []
  const page = rulesPage({
    ruleFiles,
    noSandbox: () => null,
    journal,
    ground: { homes: ['/home/ada'], tmp: [], ours: [], user: null },
    terminals: { adopt() {} },
    world: { env: {}, tmp: [], ours: [], platform: 'linux' },
    autoApprove: 'allowlist',
    past: { replay: () => replay },
  }).open({ by: 'window', send: frame => void sent.push(frame) })
  const asks = async (frame: WindowFrame): Promise<HostToWindow | undefined> => {
    expect(page.receive(frame)).toBe(true)
    await new Promise(resolve => setImmediate(resolve))
    return sent.at(-1)
  }
  return { asks, rows, ruleFiles, project }
}

const adds = (...added: string[]): WindowFrame => ({
  type: 'rules_change',
  request_id: 'w1',
  workspace_id: 'shop',
  layer: 'base',
  added,
  removed: [],
})

test('what a person changes on the page is written down before it counts, with where they did it', async () => {
  const at = opened({ append: () => expect(at.ruleFiles.patternsOf('shop', 'base')).toEqual([]) })
  expect(await at.asks(adds('mytool go'))).toMatchObject({ type: 'done', request_id: 'w1' })
  expect(at.rows).toMatchObject([{ kind: 'rules_changed', body: { added: ['mytool go'], by: 'window' } }])
  const { rules } = at.ruleFiles.rulesFor({ cwd: at.project, lane: 'interactive' })
  expect(rules.map(({ pattern }) => pattern.text)).toEqual(['mytool go'])
})

test('what cannot be written down does not count', async () => {
  const at = opened({
    append: () => {
      throw new Error('disk full')
    },
  })
  expect(await at.asks(adds('mytool go'))).toMatchObject({
    type: 'failed',
    error: { message: expect.stringContaining('disk full') },
  })
  expect(at.ruleFiles.patternsOf('shop', 'base')).toEqual([])
})

test('a rule that would let run what the person declined last is refused by the host, whatever the page shows', async () => {
  const at = opened({ replay: { asked: 1, approves: 1, declined: 1, rows: [DECLINED], is_part: false } })
  const answer = await at.asks(adds('mytool *'))
  expect(answer).toMatchObject({ type: 'failed', error: { code: 'PM_TERM_INVALID_PAYLOAD' } })
  expect(answer).toMatchObject({
    error: { message: expect.stringContaining('You declined “mytool go” on 1970-01-01: “No.”') },
  })
  expect([at.rows, at.ruleFiles.patternsOf('shop', 'base')]).toEqual([[], []])
})

test('a project that nobody made takes no rules, and a folder that cannot be one is refused', async () => {
  const at = opened()
  const elsewhere = { ...adds('mytool go'), workspace_id: 'nowhere' } as WindowFrame
  expect(await at.asks(elsewhere)).toMatchObject({ type: 'failed', error: { code: 'PM_TERM_NOT_FOUND' } })
  const home: WindowFrame = { type: 'project_set', request_id: 'w2', directory: '/', trusted: true }
  expect(await at.asks(home)).toMatchObject({ type: 'failed', error: { code: 'PM_TERM_INVALID_PAYLOAD' } })
  expect(at.rows).toEqual([])
})

test('trust is taken away also where it could not be given today', async () => {
  const at = opened()
  at.ruleFiles.bind('shop', at.project, true)
  const ground: WindowFrame = { type: 'project_set', request_id: 'w3', directory: at.project, trusted: false }
  expect(await at.asks(ground)).toMatchObject({ type: 'done' })
  expect(at.ruleFiles.workspaceAt(at.project)?.trusted).toBe(false)
})
