import { systemClock } from '../base/clock.ts'
import type { RawSettings } from '../config/settings.ts'
import { listenOnHttp } from '../mcp/http-listener.ts'
import { httpToken } from '../mcp/http-token.ts'
import { clientEntries } from './client-entries.ts'
import { openFront } from './front.ts'

/** `interactive-terminal`: MCP over HTTP for every client of this person, and what to copy into a client. */
export async function startHttp(raw: RawSettings, version: string): Promise<null> {
  const { front, log, configuration, endWith } = openFront(raw, version)
  const { settings, paths } = configuration
  const token = httpToken(paths.httpTokenFile)
  const { port } = await listenOnHttp(front, { port: settings.PM_TERM_HTTP_PORT, token, clock: systemClock, log })
  process.stdout.write(
    clientEntries({ port, tokenFile: paths.httpTokenFile, executable: process.argv[1] ?? '', dataDir: paths.dataDir }),
  )
  process.stdout.once('error', () => void endWith(0))
  return null
}
