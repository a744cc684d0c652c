import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** The ten tasks of test/tasks at full size (50 MB of output, a build of 40 s), and their table in docs/agents.md. */
const PAGE = resolve(import.meta.dirname, '../docs/agents.md')
const directory = mkdtempSync(join(tmpdir(), 'it-tasks-'))
const file = join(directory, 'rows.json')
const vitest = spawnSync('npx', ['vitest', 'run', 'test/tasks/tasks.test.ts'], {
  cwd: resolve(import.meta.dirname, '..'),
  env: { ...process.env, IT_TASKS_ROWS: file },
  stdio: 'inherit',
})
if (vitest.status !== 0) process.exit(1)
const rows = JSON.parse(readFileSync(file, 'utf8'))
rmSync(directory, { recursive: true })

/** Both forms of one task in one lane on one line. */
const lines = rows
  .filter(({ form }) => form === 'text')
  .map(text => {
    const json = rows.find(row => row.task === text.task && row.lane === text.lane && row.form === 'json')
    const both = name => (text[name] === json[name] ? `${text[name]}` : `${text[name]} / ${json[name]}`)
    return `| ${text.task} | ${text.lane} | ${both('calls')} | ${text.bytes} | ${json.bytes} | ${both('asked')} | ${text.wrong + json.wrong} |`
  })
const table = [
  '| Task | Lane | Calls | Bytes of text | Bytes of JSON | Questions | Wrong beliefs |',
  '|---|---|---|---|---|---|---|',
  ...lines,
].join('\n')
const page = readFileSync(PAGE, 'utf8')
writeFileSync(
  PAGE,
  page.replace(/(<!-- written by npm run reality:tasks -->\n)[\s\S]*?(<!-- end -->)/, `$1${table}\n$2`),
)
