#!/usr/bin/env node
// Makes the pages that come from tables in the code: docs/errors.md, docs/settings.md, docs/contract.md.
// `npm run docs` writes them; a test checks that they are fresh.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import * as esbuild from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Page → text, as they should be. */
export async function pages() {
  const { ERRORS, ENV, flagOf, ALIASES, ALIAS_PHASES, toolList } = await tables()
  return {
    'docs/errors.md': errorsPage(ERRORS),
    'docs/settings.md': settingsPage(ENV, flagOf),
    'docs/contract.md': contractPage(ALIASES, ALIAS_PHASES, toolList(), examples()),
  }
}

async function tables() {
  const dir = mkdtempSync(join(tmpdir(), 'it-docs-'))
  try {
    const outfile = join(dir, 'tables.mjs')
    await esbuild.build({
      stdin: {
        contents: `export { ERRORS } from './src/contract/errors.ts'
          export { ENV, flagOf } from './src/config/env.ts'
          export { ALIASES, ALIAS_PHASES } from './src/contract/aliases.ts'
          export { toolList } from './src/mcp/tool-list.ts'`,
        resolveDir: root,
        loader: 'ts',
      },
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
    })
    return await import(pathToFileURL(outfile).href)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

const NOTE = '<!-- Made by `npm run docs` from the tables in the code. Edit those. -->'
const cell = text => String(text).replaceAll('|', '\\|').replaceAll('\n', ' ')
const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map(row => `| ${row.map(cell).join(' | ')} |`).join('\n')

function errorsPage(errors) {
  const rows = Object.entries(errors).map(([code, row]) => [
    `\`${code}\``,
    row.category,
    row.trigger,
    row.retriable ? 'yes' : 'no',
    `\`${row.strategy}\``,
    `\`${row.next_action}\``,
    row.recommended_mode ?? '–',
    row.user_message,
  ])
  const head = ['code', 'category', 'when', 'retriable', 'strategy', 'next action', 'mode', 'for the person']
  return `${NOTE}
# Errors

Every failure has one of these codes and always the same fallback. The fallback is advice for the caller: the product never
acts on it, so \`can_auto_retry\` is false everywhere. \`error.details\` says what exactly was wrong: \`issues[]\` with
\`field\` and \`problem\` for a bad payload, \`phase\` for a timeout, \`trace_id\` for a fault of ours, which finds the log line.

${table(head, rows)}
`
}

function settingsPage(env, flagOf) {
  const rows = Object.entries(env).map(([name, row]) => [
    `\`${name}\`${row.aliases ? ` (also \`${row.aliases.join('`, `')}\`)` : ''}`,
    `\`--${flagOf(name)}\``,
    `\`${JSON.stringify(row.default)}\``,
    row.sentence,
  ])
  return `${NOTE}
# Settings

A flag wins over a variable, a variable over \`settings.json\`, that over the default. \`interactive-terminal doctor\` shows every
setting with its value and where it came from. \`settings.json\` is one JSON object with these names; an unknown name or a bad
value is an error, never silently replaced.

${table(['name', 'flag', 'default', 'what it does'], rows)}

Without \`PM_TERM_HOME\`, on Linux: settings in \`~/.config/interactive-terminal\`, rules in \`~/.local/share/interactive-terminal\`,
runs, output and the HTTP token in \`~/.local/state/interactive-terminal\`.
`
}

function contractPage(aliases, phases, tools, golden) {
  const aliasRows = Object.entries(aliases).map(([name, row]) => [
    `\`${name}\``,
    `\`${row.action}\``,
    row.invocation ? `${row.invocation.mode}, ${row.invocation.intent}` : '–',
    row.hint,
  ])
  const toolParts = tools.map(tool => {
    const fields = Object.entries(tool.inputSchema.properties).map(([field, schema]) => [
      `\`${field}\``,
      shape(schema),
      schema.description ?? '',
    ])
    return `## ${tool.name}\n\n${tool.description}\n\n${table(['field', 'takes', ''], fields)}`
  })
  const shown = golden.map(({ name, text }) => `### ${name}\n\n\`\`\`json\n${text.trim()}\n\`\`\``)
  return `${NOTE}
# Contract

Two tools of the MCP server, two contracts, never mixed: a payload of the wrong one is told which tool it belongs to. Every
answer is the structured response below, plus a short text for models; \`isError\` is set when \`success\` is false.

${toolParts.join('\n\n')}

## Legacy actions of memory_terminal_interactive

\`PM_TERM_ALIAS_PHASE\` = ${phases.map(phase => `\`${phase}\``).join(', ')}: accepted with metadata · plus a fixed warning · rejected with the
replacement spelled out. Flat fields (\`command\`, \`cwd\`, …) move into their groups; the grouped form wins.

${table(['legacy', 'canonical', 'defaults', 'write instead'], aliasRows)}

## Examples

${shown.join('\n\n')}
`
}

function shape(schema) {
  if (schema.enum) return schema.enum.map(value => `\`${value}\``).join(' ')
  if (schema.properties)
    return Object.keys(schema.properties)
      .map(name => `\`.${name}\``)
      .join(' ')
  if (schema.anyOf) return schema.anyOf.map(shape).join(' or ')
  if (schema.type === 'array') return `list of ${shape(schema.items)}`
  return schema.type ?? 'anything'
}

function examples() {
  const dir = join(root, 'src/contract/examples')
  return readdirSync(dir)
    .filter(name => name.endsWith('.json'))
    .sort()
    .map(name => ({ name: name.replace(/\.json$/, ''), text: readFileSync(join(dir, name), 'utf8') }))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [file, text] of Object.entries(await pages())) writeFileSync(join(root, file), text)
}
