/** What this server says of itself, whoever answers: the MCP SDK, or our own front over stdio. */
export const serverInfo = (version: string) => ({
  name: 'interactive-terminal',
  title: 'Interactive Terminal',
  version,
})

export const CAPABILITIES = { tools: {}, resources: { subscribe: true, listChanged: true } }

export const INSTRUCTIONS =
  'memory_terminal runs allowlisted commands at once. memory_terminal_interactive runs anything else once a person agrees. Output is never cut silently: cursor, omitted_bytes and lost_bytes say what is missing.'

export const TOOL_NAMES: readonly string[] = ['memory_terminal', 'memory_terminal_interactive']

/** Large enough that a payload far beyond every limit still gets our answer instead of a closed connection. */
export const LARGEST_MESSAGE_BYTES = 32 * 1024 * 1024
