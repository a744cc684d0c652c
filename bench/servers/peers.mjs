// The peers that the registry has, as data: package and version, how it is started, which tool runs a line, how its answer is read.
// What a peer has no tool for is left out here and shown as «–».
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const MEGABYTE = 1024 * 1024

/** An answer that is no JSON says why in words. */
const json = ({ text }) => {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(text.slice(0, 200))
  }
}
const isJson = ({ text }) => text.startsWith('{') && text.trimEnd().endsWith('}')

/** For servers that say «failed» without a number: only success is known. */
const zeroOrUnknown = ({ isError }) => (isError ? undefined : 0)

export const PEERS = [
  {
    package: 'mcp-server-commands',
    version: '0.5.0',
    file: 'build/index.js',
    run: {
      tool: 'run_command',
      args: ({ line }) => ({ command: line }),
      // A failure puts a message before the two outputs.
      read: answer => {
        const [stdout = '', stderr = ''] = answer.texts.slice(answer.isError ? 1 : 0)
        return { exitCode: zeroOrUnknown(answer), stdout, stderr }
      },
    },
  },
  {
    package: 'bash-mcp',
    version: '1.1.0',
    file: 'index.js',
    pollMs: 2,
    run: {
      tool: 'run',
      args: ({ line, patienceMs }) => ({ command: line, timeout: patienceMs }),
      // The answer to a long output is cut off somewhere.
      read: answer => {
        if (!answer.isError && !isJson(answer)) return { stdout: answer.text, stderr: '' }
        const { success, code, signal, stdout, stderr } = json(answer)
        return { exitCode: success ? 0 : code, signal, stdout, stderr }
      },
    },
    begin: {
      tool: 'run_background',
      args: ({ line, name }) => ({ command: line, name }),
      read: (_, { name }) => name,
    },
    // Each answer repeats the end of all that was printed.
    more: {
      tool: 'list_background',
      args: () => ({}),
      read: (answer, { handle }) => {
        const mine = json(answer).processes?.find(({ name }) => name === handle)
        return { text: mine?.recentOutput ?? '', ended: !mine }
      },
    },
    kill: { tool: 'kill_background', args: ({ handle }) => ({ name: handle }) },
  },
  {
    package: 'hyper-mcp-shell',
    version: '1.1.2',
    file: 'index.mjs',
    run: {
      tool: 'execute-command',
      args: ({ line }) => ({ command: line }),
      read: ({ isError, text }) =>
        isError
          ? { exitCode: numberIn(text, /with code (\d+)/), stdout: '', stderr: text }
          : { exitCode: 0, stdout: text, stderr: '' },
    },
  },
  {
    package: 'mcp-server-code-runner',
    version: '0.1.8',
    file: 'dist/cli.js',
    run: {
      tool: 'run-code',
      args: ({ line }) => ({ code: line, languageId: 'shellscript' }),
      read: answer => {
        const [stdout, stderr] = answer.isError ? ['', answer.text] : [answer.text, '']
        return { exitCode: zeroOrUnknown(answer), stdout, stderr }
      },
    },
  },
  {
    package: '@rinardnick/mcp-terminal',
    version: '0.1.1',
    file: 'build/index.js',
    run: {
      tool: 'run_command',
      args: ({ line, patienceMs }) => ({ command: line, timeoutMs: patienceMs, maxOutputSize: 5 * MEGABYTE }),
      read: answer => {
        const { exitCode, stdout, stderr } = json(answer)
        return { exitCode, stdout, stderr }
      },
    },
  },
  {
    package: '@mako10k/mcp-shell-server',
    version: '2.7.1',
    file: 'dist/index.js',
    // Otherwise it asks the client's model about every line.
    env: { MCP_SHELL_SECURITY_MODE: 'permissive', MCP_SHELL_ENHANCED_MODE: 'false' },
    installScripts: true,
    pollMs: 2,
    run: {
      tool: 'shell_execute',
      args: ({ line, patienceMs }) => ({
        command: line,
        execution_mode: 'foreground',
        timeout_seconds: Math.min(300, Math.ceil(patienceMs / 1000)),
        max_output_size: 100 * MEGABYTE,
      }),
      read: answer => {
        const { exit_code, stdout = '', stderr = '', output_id } = json(answer)
        return { exitCode: exit_code, stdout, stderr, handle: output_id }
      },
    },
    page: {
      tool: 'read_execution_output',
      first: 0,
      args: ({ handle, at }) => ({ output_id: handle, offset: at, size: 8 * MEGABYTE }),
      read: (answer, { at }) => {
        const text = json(answer).content ?? ''
        return { text, at: at + Buffer.byteLength(text) }
      },
    },
    // What runs in its background cannot be read before it ends; its terminals can.
    begin: {
      tool: 'terminal_operate',
      args: ({ line }) => ({ command: line, output_delay_ms: 0, response_level: 'minimal' }),
      read: answer => json(answer).terminal_id,
    },
    more: {
      tool: 'terminal_operate',
      args: ({ handle }) => ({
        terminal_id: handle,
        output_delay_ms: 0,
        output_lines: 1000,
        response_level: 'minimal',
      }),
      read: answer => ({ text: json(answer).output ?? '', ended: false }),
    },
    kill: { tool: 'terminal_close', args: ({ handle }) => ({ terminal_id: handle }) },
  },
  {
    package: '@mariozechner/terminalcp',
    version: '1.3.3',
    file: 'dist/index.js',
    args: ['--mcp'],
    installScripts: true,
    helpers: /terminalcp.*--server/,
    isTerminal: true,
    pollMs: 2,
    // It has no «run and wait»: a line is begun and read until this is there.
    ending: all => {
      const end = /\n\[Process exited with code (\d+)(?: \(signal: (\d+)\))?\]\n?$/.exec(all)
      if (!end) return null
      const [exitCode, signal] = end[2] ? [undefined, end[2]] : [Number(end[1]), undefined]
      return { exitCode, signal, stdout: all.slice(0, end.index), stderr: '' }
    },
    begin: {
      tool: 'terminalcp',
      args: ({ line }) => ({ args: { action: 'start', command: line } }),
      read: ({ text }) => text,
    },
    more: {
      tool: 'terminalcp',
      args: ({ handle }) => ({ args: { action: 'stream', id: handle, since_last: true } }),
      read: ({ text }) => ({ text, ended: /\[Process exited with code/.test(text) }),
    },
    kill: { tool: 'terminalcp', args: ({ handle }) => ({ args: { action: 'stop', id: handle } }) },
  },
  {
    package: '@wonderwhy-er/desktop-commander',
    version: '0.2.52',
    file: 'dist/index.js',
    // The version that it asks for is not in every registry.
    overrides: { 'typedarray.prototype.slice': '1.0.5' },
    // Without this it reports to its makers.
    prepare: home => {
      const file = join(home, '.claude-server-commander/config.json')
      const settings = {
        telemetryEnabled: false,
        defaultShell: '/bin/bash',
        blockedCommands: [],
        allowedDirectories: [],
      }
      mkdirSync(dirname(file))
      writeFileSync(file, JSON.stringify(settings))
    },
    run: {
      tool: 'start_process',
      args: ({ line, patienceMs }) => ({ command: line, timeout_ms: patienceMs }),
      read: ({ text }) => ({
        stdout: text.replace(/^[^\n]*\nInitial output:\n/, ''),
        stderr: '',
        handle: numberIn(text, /PID (\d+)/),
      }),
    },
    exit: {
      tool: 'read_process_output',
      args: ({ handle }) => ({ pid: handle, timeout_ms: 200 }),
      read: ({ text }) => numberIn(text, /exit code (\d+)/),
    },
    // By lines, from 1: its 0 means «since the last time».
    page: {
      tool: 'read_process_output',
      first: 1,
      args: ({ handle, at }) => ({ pid: handle, offset: at, length: 50_000, timeout_ms: 500 }),
      read: ({ text }, { at }) => {
        const lines = numberIn(text, /Reading (\d+) lines/) ?? 0
        return { text: lines === 0 ? '' : text, at: at + lines }
      },
    },
    begin: {
      tool: 'start_process',
      args: ({ line }) => ({ command: line, timeout_ms: 1 }),
      read: ({ text }) => numberIn(text, /PID (\d+)/),
    },
    more: {
      tool: 'read_process_output',
      args: ({ handle }) => ({ pid: handle, timeout_ms: 1000 }),
      read: ({ text }) => ({ text, ended: /completed with exit code|No session found/.test(text) }),
    },
    kill: { tool: 'force_terminate', args: ({ handle }) => ({ pid: handle }) },
  },
].map(peer => ({ name: peer.package.replace(/^@.*\//, ''), ...peer }))

function numberIn(text, pattern) {
  const found = pattern.exec(text)?.[1]
  return found === undefined ? undefined : Number(found)
}
