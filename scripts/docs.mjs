#!/usr/bin/env node
// Makes the pages that come from tables in the code: docs/errors.md, docs/settings.md, docs/contract.md, docs/protocol.md.
// `npm run docs` writes them; a test checks that they are fresh.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { importSources } from './import-sources.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Page → text, as they should be. */
export async function pages() {
  const { ERRORS, ENV, flagOf, ALIASES, ALIAS_PHASES, PROTOCOL_VERSION, toolList, editorSchema } = await tables()
  const tools = [...toolList(), editorTool(editorSchema)]
  return {
    'docs/errors.md': errorsPage(ERRORS),
    'docs/settings.md': settingsPage(ENV, flagOf),
    'docs/contract.md': contractPage(ALIASES, ALIAS_PHASES, tools, examples(isNoFrame)),
    'docs/protocol.md': protocolPage(PROTOCOL_VERSION, examples(isFrame)),
  }
}

const tables = () =>
  importSources(
    root,
    `export { ERRORS } from './src/contract/tool/errors.ts'
    export { ENV, flagOf } from './src/config/env.ts'
    export { ALIASES, ALIAS_PHASES } from './src/contract/tool/aliases.ts'
    export { PROTOCOL_VERSION } from './src/contract/wire/host-frames.ts'
    export { toolList } from './src/mcp/server/tool-list.ts'
    import { EditorRequest } from './src/contract/tool/editor-request.ts'
    import { inputSchema } from './src/mcp/server/tool-schema.ts'
    export const editorSchema = inputSchema(EditorRequest)`,
  )

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
    [
      row.user_message,
      ...Object.entries(row.phases ?? {}).map(([phase, { user_message }]) => `Phase ${phase}: ${user_message}`),
    ].join(' '),
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

A flag wins over a variable, a variable over \`settings.json\`, that over the default. \`interactive-terminal doctor --settings\` shows every
setting with its value and where it came from. \`settings.json\` is one JSON object with these names; an unknown name or a bad
value is an error, never silently replaced.

${table(['name', 'flag', 'default', 'what it does'], rows)}

Without \`PM_TERM_HOME\`, on Linux: settings in \`~/.config/interactive-terminal\`, rules in \`~/.local/share/interactive-terminal\`,
runs, output and the HTTP token in \`~/.local/state/interactive-terminal\`.
`
}

/** The tool of the editor's extension, in the words of its manifest. */
function editorTool(inputSchema) {
  const manifest = JSON.parse(readFileSync(join(root, 'vscode/package.json'), 'utf8'))
  const [{ name, modelDescription: description }] = manifest.contributes.languageModelTools
  return { name, description, inputSchema }
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

Two tools of the MCP server and one of the editor's extension, three contracts, never mixed: a payload of the wrong one is told
which tool it belongs to. Every answer of the server is the structured response below, plus a short text for models; \`isError\` is set when \`success\` is false.

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

/** Direction → what it is, in the order of a conversation. */
const DIRECTIONS = {
  'to-host': ['MCP server → host', 'On 127.0.0.1:9100, and through the bridge. No frame here can answer a question.'],
  'from-host': [
    'host → MCP server',
    'A reply carries the `request_id` of its request and goes to the connection that asked.',
  ],
  'from-approver': [
    'approver → host',
    'On 127.0.0.1:9101. Nothing but `attach`, `prove`, `ask_code` and `enter_code` is heard before admission.',
  ],
  'to-approver': [
    'host → approver',
    'Every open question goes to every admitted approver; the first answer that counts ends it.',
  ],
  'from-person': [
    'whoever looks at terminals → host',
    'An approver, `attach` or a window, once admitted: the same frames for all of them. Input is base64.',
  ],
  'to-person': [
    'host → whoever looks at terminals',
    'A request is answered with `done` or `failed`. Output comes between `watching` and `stream_end`, never more than `output_ack` has made room for: to a window as binary messages, to a terminal as `terminal_output`.',
  ],
  'from-window': [
    'window → host',
    'Over the WebSocket `/feed` of http://localhost:9101, beside the frames of an approver and those about terminals. Nothing but `window_hello` and `window_prove` is heard before admission; by a host in a container also the frames of a page that is let in by a code.',
  ],
  'to-window': [
    'host → window',
    'Beside the frames to an approver and those about terminals. Output comes as binary messages: a 1, the stream (4 bytes), the offset (8 bytes), the bytes.',
  ],
  'from-code-page': [
    'page without a ticket → host',
    'Over the same WebSocket, before anything else, and only to a host that admits pages by a code. Both ends work a key out of their public keys; what `src/contract/window/window-code-proof.ts` says is signed with it.',
  ],
  'to-code-page': ['host → page without a ticket', 'In the end a ticket, with which the page says `window_hello`.'],
  'to-pty-host': [
    'host → pty-host',
    'On 127.0.0.1:9102, one host at a time. The key is made of `<state>/host.key` and the instance id of pty-host.',
  ],
  'from-pty-host': [
    'pty-host → host',
    'After `hello` one `pty` for each terminal that is there, then `hello_ack`. What is printed is read from the logs.',
  ],
}

function protocolPage(version, frames) {
  const parts = Object.entries(DIRECTIONS).map(([direction, [title, sentence]]) => {
    const shown = frames
      .filter(({ name }) => name.startsWith(`${direction}.`))
      .map(
        ({ name, text }) =>
          `### ${name.slice(direction.length + 1, -'.frame'.length)}\n\n\`\`\`json\n${text.trim()}\n\`\`\``,
      )
    return `## ${title}\n\n${sentence}\n\n${shown.join('\n\n')}`
  })
  return `${NOTE}
# Protocol

Version ${version}. One JSON object per line (NDJSON), UTF-8, snake_case, lower-case values, at most 4 MiB a line, inside TLS 1.3 with a
pre-shared key (\`TLS_AES_128_GCM_SHA256\`, no tickets). The PSK identity is who you are: \`local\` with the key in
\`<state>/local.key\`, the name of a paired client with its own key, \`approver\` on the second listener. What is not our protocol, not
UTF-8, not JSON, too long or too fast ends the connection.

An MCP server says \`hello\` first and is answered with \`hello_ack\`; another protocol version gets an \`error\` and the end. Both sides
send a \`heartbeat\` when they are silent; any frame counts as life, three silent intervals end the connection. A request is
acknowledged with \`accepted\` (reading without a wait and listing are answered at once), told of with \`progress\`, and answered once. Sending
a \`command_request\` again with the same id and the same content never runs it twice: it finds its run. Questions belong to the
\`runtime_session_id\`: they are withdrawn on \`cancel\`, on \`goodbye\`, and 15 s after its last connection was lost.
A server with several MCP clients names each in \`asker\`: \`asker_gone\` withdraws the questions of a client that is gone (over HTTP 15 s
after its last connection), \`asker_gone_on\` names questions whose client has made a further call instead of waiting; their cards then say so,
and an approval counts only when that was read ([why](adr/0034-askers-that-no-longer-wait.md)). \`show_window\` has the host show its window, and
\`status\` tells the person's own programs what runs; only an admitted approver says with \`use_screen\` where the window is shown.

Readers take \`id\` or \`request_id\` and any letter case of \`status\`; writers send both, in lower case. \`approval_required: true\` makes
the host ask; nothing a client sends makes it ask less.

An approver says \`attach\` and gets a \`challenge\`. While nobody is admitted it carries \`passphrase\`: the approver signs
\`interactive-terminal approver <nonce> <binding>\` with the Ed25519 key that scrypt makes of the passphrase. The binding is the TLS
exporter \`EXPORTER-interactive-terminal\` of this very connection, so a signature is good for one connection only.
With \`seal_key\` in the challenge it also signs \`interactive-terminal seal key <seal_key>\` and sends that as \`seal_signature\`: from then on the
host seals what is decided there ([why](adr/0046-the-passphrase-seals-what-was-decided.md)). Only for the process that holds \`host.lock\`.

While somebody is admitted it carries \`code\` instead: \`ask_code\` opens the commitment of \`attach\`, every admitted approver hears
\`admission_asked\` with a code of nine digits, and the person types it into the new one. The last three digits both ends work out of
nonce, opening and binding (\`base/keys/admission-code.ts\`); only if they are right does the new one send the first six in \`enter_code\`. A code
is good once, for 60 s and three tries; the third wrong one ends the connection and sounds an \`alarm\`. \`refuse_admission\` ends it at
once. A code that was not typed within its time, or that nobody can show any more, brings a \`challenge\` that takes the passphrase as
well ([why](adr/0004-an-approver-is-a-key-pair.md)).

An approver says \`in_view\` when a card is before somebody (from then on no answer is silence, not absence), and \`shown\` when all of it was on the screen; an approval before that, or within \`arming_ms\` of it, does not
count; a no counts at once.
Whoever wants another line to run sends \`judge\`, shows what \`judged\` says about it, and approves it with \`edit\` and that \`plan_hash\`, no
sooner than \`arming_ms\` after \`judged\`: exactly that plan runs.

${parts.join('\n\n')}
`
}

const isFrame = name => name.endsWith('.frame.json')
const isNoFrame = name => !isFrame(name)

function examples(which) {
  const dir = join(root, 'src/contract/examples')
  return readdirSync(dir)
    .filter(name => name.endsWith('.json') && which(name))
    .sort()
    .map(name => ({ name: name.replace(/\.json$/, ''), text: readFileSync(join(dir, name), 'utf8') }))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [file, text] of Object.entries(await pages())) writeFileSync(join(root, file), text)
}
