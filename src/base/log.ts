export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'
export type LogFields = Readonly<Record<string, unknown>>

export interface Log {
  debug(event: string, fields?: LogFields): void
  info(event: string, fields?: LogFields): void
  warn(event: string, fields?: LogFields): void
  error(event: string, fields?: LogFields): void
}

const RANK: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3, silent: 4 }

/** One JSON object per line. `write` goes to stderr: stdout of the MCP server belongs to the protocol. */
export function jsonLog(options: { level: LogLevel; write: (line: string) => void; now: () => number }): Log {
  const at =
    (level: LogLevel) =>
    (event: string, fields: LogFields = {}): void => {
      if (RANK[level] < RANK[options.level]) return
      const time = new Date(options.now()).toISOString()
      options.write(`${JSON.stringify({ time, level, event, ...fields }, readable)}\n`)
    }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

/** An Error has no enumerable fields: without this its reason would be logged as `{}`. */
function readable(_key: string, value: unknown): unknown {
  return value instanceof Error ? { message: value.message, stack: value.stack, cause: value.cause } : value
}
