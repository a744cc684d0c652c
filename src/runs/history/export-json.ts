import { isUtf8 } from 'node:buffer'
import { MOMENT_MS, outputMoments } from '../../base/output/output-times.ts'
import { OUTPUT_FORMAT, type OutputExport } from '../../contract/disk/output-export.ts'
import type { ExportedRun } from './exported-run.ts'
import { timedOutput } from './timed-output.ts'

/** `interactive-terminal-output-v1` (contract/disk/output-export.ts), written piece by piece. */
export async function* jsonOf({ said, source, now, version }: ExportedRun): AsyncGenerator<string> {
  const known = outputMoments(source.directory).length > 0
  const timing = known ? { known: 'moments', exact_ms: MOMENT_MS } : { known: 'none' }
  const top = { format: OUTPUT_FORMAT, exported_at: new Date(now).toISOString(), made_by: version, run: said }
  const from = said.lane === 'interactive' ? 'terminal' : 'pipes'
  yield `${JSON.stringify(top).slice(0, -1)},"output":{"from":"${from}","size":${source.size},"timing":${JSON.stringify(timing)},"pieces":[`

  const missing: OutputExport['output']['missing'] = []
  let separator = '\n'
  for await (const each of timedOutput(source.directory, source.size)) {
    if (each.kind === 'gone') missing.push({ from: each.start, to: each.end })
    else {
      const { stream, start: offset, bytes, at } = each
      const body = isUtf8(bytes) ? { text: bytes.toString('utf8') } : { base64: bytes.toString('base64') }
      const time = at === null ? {} : { at: new Date(at).toISOString() }
      yield `${separator}${JSON.stringify({ stream, offset, ...time, ...body })}`
      separator = ',\n'
    }
  }
  yield `\n],"missing":${JSON.stringify(missing)},"is_open":${!source.over}}}\n`
}
