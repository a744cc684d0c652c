// The table of reality:agents in docs/clients.md: written by the script, and read again by the next run, which no column may make worse.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AGENTS } from './agent-kinds.mjs'

const root = join(import.meta.dirname, '..')
const page = join(root, 'docs/clients.md')
const BEGIN = '<!-- written by npm run reality:agents -->'
const END = '<!-- end -->'

/** `worse`: which way is worse; none: noise, or what the agent alone decides. `may`: a share that is not worse yet. */
const COLUMNS = [
  { title: 'Calls right', of: day => day.right, worse: 'less' },
  { title: 'of', of: day => day.calls },
  { title: 'Questions', of: day => day.questions, worse: 'more' },
  { title: 'Double prompts', of: day => day.doublePrompts, worse: 'more' },
  { title: 'Own shell left', of: day => day.ownShell.length, worse: 'more' },
  { title: 'Wrong beliefs', of: day => day.wrong.length, worse: 'more' },
  { title: 'Bytes told', of: day => day.bytes, worse: 'more', may: 0.03 },
  { title: 'Tokens told', of: day => day.tokens, worse: 'more', may: 0.03 },
  { title: 'Tokens of tools', of: day => day.definitionTokens, worse: 'more', may: 0.03 },
  { title: 'Processes left', of: day => day.processesLeft.length, worse: 'more' },
  { title: 'Seconds (noise)', of: day => day.seconds },
]

/** Rows as numbers by agent: those of these days, and of the page for agents that were not run. */
function rowsWith(days) {
  const before = rowsOnPage()
  const rows = new Map()
  for (const agent of Object.keys(AGENTS)) {
    const day = days.find(each => each.agent === agent)
    const row = day ? COLUMNS.map(({ of }) => of(day)) : before.get(titleOf(agent))
    if (row) rows.set(titleOf(agent), row)
  }
  return rows
}

const titleOf = agent => `${AGENTS[agent].title} ${AGENTS[agent].version}`

function rowsOnPage() {
  const text = existsSync(page) ? readFileSync(page, 'utf8') : ''
  // A table with other columns says nothing about these.
  if (!text.includes(line(['Agent', ...COLUMNS.map(({ title }) => title)]))) return new Map()
  const rows = [...text.matchAll(/^\| ([A-Za-z]\w[\w ]* \d[\w.]*) \|(( *[\d,]+ *\|)+)$/gm)]
  return new Map(rows.map(([, title, cells]) => [title, cells.split('|').slice(0, -1).map(numberOf)]))
}

const line = cells => `| ${cells.join(' | ')} |`

const numberOf = cell => Number(cell.replaceAll(/[ ,]/g, ''))

export function tableOf(days) {
  const rows = rowsWith(days)
  const all = COLUMNS.map((_, at) => [...rows.values()].reduce((sum, row) => sum + row[at], 0))
  return [
    line(['Agent', ...COLUMNS.map(({ title }) => title)]),
    line(['---', ...COLUMNS.map(() => '---:')]),
    ...[...rows].map(([title, row]) => line([title, ...row.map(shown)])),
    line(['**in all**', ...all.map(shown)]),
  ].join('\n')
}

const shown = number => number.toLocaleString('en')

/** What is worse than what the page says, in words. */
export function worseThanBefore(days) {
  const before = rowsOnPage()
  return days.flatMap(day => {
    const was = before.get(titleOf(day.agent))
    if (!was) return []
    return COLUMNS.flatMap(({ title, of, worse, may = 0 }, at) => {
      const now = of(day)
      const bad = worse === 'more' ? now > was[at] * (1 + may) : worse === 'less' && now < was[at]
      return bad ? [`${titleOf(day.agent)}: ${title} was ${was[at]}, is ${now}`] : []
    })
  })
}

const linesBelow = (text, title) =>
  new RegExp(`^${title}:\\n\\n((?:- .*\\n)+)`, 'm').exec(text)?.[1].trimEnd().split('\n') ?? []

export function writePage(days) {
  const text = readFileSync(page, 'utf8')
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
  const dirty =
    execFileSync('git', ['status', '--porcelain', 'src'], { cwd: root, encoding: 'utf8' }) === '' ? '' : ' and changes'
  const date = new Date().toISOString().slice(0, 10)
  // Lines of agents that were not run stay.
  const ran = days.map(day => AGENTS[day.agent].title)
  const listed = (title, of) => [
    ...linesBelow(text, title).filter(each => !ran.some(name => each.startsWith(`- ${name}: `))),
    ...days.flatMap(day => of(day).map(each => `- ${AGENTS[day.agent].title}: ${each}`)),
  ]
  const wrong = listed('Wrong beliefs', day => day.wrong)
  const left = listed('Processes left', day => day.processesLeft)
  const told = (title, lines) => (lines.length > 0 ? `\n\n${title}:\n\n${[...new Set(lines)].sort().join('\n')}` : '')
  const middle = `${BEGIN}
Last run ${date} at ${commit}${dirty}: ${days.map(({ agent }) => agent).join(', ')}.

${tableOf(days)}${told('Wrong beliefs', wrong)}${told('Processes left', left)}
${END}`
  const [before, rest] = text.split(BEGIN)
  writeFileSync(page, `${before}${middle}${rest.split(END)[1]}`)
}
