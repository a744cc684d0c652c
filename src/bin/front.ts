import { systemClock } from '../base/clock.ts'
import { jsonLog, type Log } from '../base/log.ts'
import { onDebuggerAsked } from '../base/process/no-debugger.ts'
import { type Configuration, loadSettings, type RawSettings } from '../config/settings.ts'
import type { ClientInfo, McpFront } from '../mcp/server/mcp-server.ts'
import type { ToolEntry } from '../mcp/server/tool-list.ts'
import type { Engine } from './engine.ts'
import { type LogPlace, toStderr } from './log-place.ts'

declare const __TOOL_LIST__: string

/** What both transports share: settings, log, the tools, and an engine that loads when it is first needed. */
export interface Front {
  readonly configuration: Configuration
  readonly log: Log
  readonly front: McpFront
  /** The tools as they are listed, as JSON. */
  readonly toolList: string
  /** Ends everything the engine started, once, and then this process. */
  readonly endWith: (code: number) => Promise<void>
}

/** What ends us, and the code a shell expects then. */
export const END_SIGNALS = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const

/**
 * Starting a process copies the page tables of this one, so every megabyte here costs each command time. V8 would let its
 * nursery grow to 16 MB and keep it, from loading the engine on; calls are short-lived and fit into less.
 */
function staySmall(): void {
  // Not imported: nothing needs it before the tools are listed.
  const v8 = process.getBuiltinModule('node:v8')
  v8.setFlagsFromString('--semi-space-growth-factor=1')
  // So little is collected at a time that waking other threads for it costs more than they take off.
  v8.setFlagsFromString('--no-parallel-scavenge')
}

/**
 * Most of what a call runs is run a few dozen times in all: machine code without optimisation from the first call on is faster
 * there than an interpreter. Once the engine is loaded: what V8 compiled at build time is not taken under other flags.
 */
function compileAtOnce(): void {
  const v8 = process.getBuiltinModule('node:v8')
  v8.setFlagsFromString('--no-lazy-feedback-allocation')
  v8.setFlagsFromString('--always-sparkplug')
}

export function openFront(
  raw: RawSettings,
  version: string,
  {
    logTo = () => toStderr,
    manyClients = false,
  }: {
    readonly logTo?: (configuration: Configuration) => LogPlace
    /** Then none of them gives the whole server its name. */
    readonly manyClients?: boolean
  } = {},
): Front {
  const configuration = loadSettings(raw)
  const log = jsonLog({
    level: configuration.settings.PM_TERM_LOG_LEVEL,
    write: logTo(configuration),
    now: systemClock.now,
  })

  let client: ClientInfo | null = manyClients ? { name: 'MCP over HTTP', version } : null
  let loading: Promise<Engine> | null = null
  let engine: Engine | null = null
  const load = () => {
    if (loading === null) staySmall()
    loading ??= import('./engine.ts').then(async ({ openEngine, whereabouts, reportChangedBundle }) => {
      const place = await whereabouts(configuration, raw)
      engine = openEngine(configuration, log, { version, client: () => client }, place)
      reportChangedBundle({ clock: systemClock, report: message => log.error(message), quietMs })
      return engine
    })
    // A failure must not be remembered: the next call tries again.
    loading.then(compileAtOnce, () => {
      loading = null
    })
    return loading
  }

  const loaded = () => engine ?? load()
  let calledAt = Number.NEGATIVE_INFINITY
  const quietMs = () => systemClock.elapsed() - calledAt
  const call: McpFront['call'] = call => {
    calledAt = systemClock.elapsed()
    return engine === null ? load().then(loaded => loaded.call(call)) : engine.call(call)
  }

  let ending = false
  const endWith = async (code: number) => {
    if (ending) return
    ending = true
    // Timers of ours do not keep the process alive; this one does, until everything is gone.
    const awake = setInterval(() => {}, 1000)
    try {
      await engine?.end()
    } catch (cause) {
      log.error('ending what was started failed', { cause })
      engine?.endAtOnce()
    }
    clearInterval(awake)
    process.exit(code)
  }

  for (const [signal, code] of END_SIGNALS) process.on(signal, () => void endWith(code))
  process.on('uncaughtException', cause => {
    log.error('uncaught', { cause })
    void endWith(1)
  })
  onDebuggerAsked(systemClock.elapsed, message => log.warn(message))
  process.on('unhandledRejection', cause => log.error('unhandled', { cause }))

  let tools: readonly ToolEntry[] | null = null
  const front: McpFront = {
    version,
    get tools() {
      tools ??= JSON.parse(__TOOL_LIST__) as ToolEntry[]
      return tools
    },
    call,
    resources: {
      list: async (...how) => (await loaded()).resources.list(...how),
      read: async (...how) => (await loaded()).resources.read(...how),
      watch: async (...how) => (await loaded()).resources.watch(...how),
      onAppeared: async watcher => (await loaded()).resources.onAppeared(watcher),
    },
    onListed(name) {
      client ??= name
      if (loading === null) setImmediate(() => void load())
    },
    onGone: session => engine?.askerGone(session),
  }
  return { configuration, log, front, toolList: __TOOL_LIST__, endWith }
}
