import type { Asker } from './asker.ts'

const LONGEST_NAME = 100

/** What a client says about itself, cut to what fits into a frame and on a card. */
export function askerFrom(
  session: string | null,
  client: { readonly name: string; readonly version: string; readonly title?: string | undefined } | null,
): Asker {
  const title = client?.title === undefined ? '' : clean(client.title)
  return {
    session,
    name: (client && clean(client.name)) || UNNAMED,
    version: client ? clean(client.version) : '',
    ...(title !== '' && { title }),
  }
}

/** As one text: "Claude Code (claude-code 2.1.325)", "codex-mcp-client 0.166.0". */
export function askerInWords({ name, version, title }: Omit<Asker, 'session'>): string {
  const plain = `${name} ${version}`.trim()
  return title === undefined || title === name ? plain : `${title} (${plain})`
}

export const UNNAMED = 'an MCP client'

const clean = (text: string): string =>
  [...text.replaceAll(/\0|\p{Surrogate}/gu, '')].slice(0, LONGEST_NAME).join('').trim()
