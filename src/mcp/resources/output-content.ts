import { MOST_OUTPUT_BYTES, type OutputOptions } from '../../contract/tool/output-options.ts'
import type { AnyResponse, Result } from '../../contract/tool/response.ts'
import { mergedStreams } from '../answers/present-output.ts'
import type { ResourceContent } from '../server/resource-front.ts'
import { outputUri } from './run-uri.ts'

/** Under this name clients find what is known beside the text. */
const META = 'interactive-terminal/run'
const NOT_TEXT = /[\0\uFFFD]/

type ReadOutput = (options: OutputOptions) => Promise<AnyResponse>

/** What a run printed from an offset on, as text, or as bytes where it is no text. What is missing is said in it, with the next call. */
export async function outputContent(id: string, cursor: number, read: ReadOutput): Promise<readonly ResourceContent[]> {
  const { result } = await read({ cursor, max_bytes: MOST_OUTPUT_BYTES })
  const text = mergedStreams(result)
  if (NOT_TEXT.test(text)) {
    const { result: raw } = await read({ cursor, max_bytes: MOST_OUTPUT_BYTES, format: 'raw' })
    if (raw.base64 !== undefined && !isText(Buffer.from(raw.base64, 'base64')))
      return bytes(id, cursor, { ...result, ...raw }, raw.base64)
  }

  const said = missing(id, result)
  const note = said ?? stateNote(result, text)
  const broken = note !== null && text !== '' && !text.endsWith('\n')
  return [
    {
      uri: outputUri(id, cursor),
      mimeType: 'text/plain',
      // At both ends: clients cut long texts again, and a cut that is not told is a lie.
      text: `${said === null ? '' : `${said}\n`}${text}${broken ? '\n' : ''}${note === null ? '' : `${note}\n`}`,
      _meta: metaOf(id, result),
    },
  ]
}

function bytes(id: string, cursor: number, result: Result, blob: string): ResourceContent[] {
  const uri = outputUri(id, cursor)
  const said = missing(id, result)
  return [
    { uri, mimeType: 'application/octet-stream', blob, _meta: metaOf(id, result) },
    ...(said === null ? [] : [{ uri, mimeType: 'text/plain', text: `${said}\n` }]),
  ]
}

/** What is left out here, and how it is read; null: nothing is. */
function missing(id: string, { omitted_bytes, omitted_from, lost_bytes, running }: Result): string | null {
  const lines: string[] = []
  if (omitted_bytes && omitted_from !== undefined)
    lines.push(
      `[${omitted_bytes} bytes ${running ? 'and more ' : ''}from offset ${omitted_from} on are not here; read ${outputUri(id, omitted_from)} or call memory_terminal ${JSON.stringify(nextCall(id, omitted_from))}]`,
    )
  if (lost_bytes) lines.push(`[${lost_bytes} bytes are lost to the quota or a full disk]`)
  return lines.length === 0 ? null : lines.join('\n')
}

/** Where the text alone would be misread: it is empty, or the run has not simply ended. */
function stateNote({ state, exit_code, signal }: Result, text: string): string | null {
  if (state === 'exited' && text !== '') return null
  const how = exit_code == null ? (signal ?? '') : String(exit_code)
  const silent = text === '' ? '; no output here' : ''
  return `[${[state ?? 'not known', how].filter(word => word !== '').join(' ')}${silent}]`
}

const nextCall = (id: string, cursor: number) => ({ action: 'read_output', session_id: id, cursor })

function metaOf(id: string, result: Result): Record<string, unknown> {
  const { state, exit_code, signal, cursor, output_bytes, omitted_bytes, omitted_from, lost_bytes } = result
  const facts = { state, exit_code, signal, cursor, output_bytes, omitted_bytes, omitted_from, lost_bytes }
  const next = omitted_from === undefined ? null : { tool: 'memory_terminal', arguments: nextCall(id, omitted_from) }
  const known = Object.entries({ ...facts, next }).filter(([, value]) => value != null)
  return { [META]: Object.fromEntries(known) }
}

/** A character that the page cuts in two is no fault of the text. */
function isText(all: Buffer): boolean {
  if (all.includes(0)) return false
  let from = 0
  while (from < 3 && ((all[from] ?? 0) & 0xc0) === 0x80) from += 1
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(all.subarray(from), { stream: true })
    return true
  } catch {
    return false
  }
}
