// Runs inside an approved command and tries to approve the next one. Prints one line of JSON: attempt → what came of it.
// argv: state directory, port for clients, port for approvers, the product, the request to get through
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash, createHmac, createPrivateKey, hkdfSync, randomBytes, sign } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'

const [, script, state, clientPort, approverPort, product, target, only] = process.argv
const after = (ms, value) => new Promise(resolve => setTimeout(resolve, ms, value))
const read = path => {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
const filesBelow = directory =>
  existsSync(directory)
    ? readdirSync(directory, { recursive: true, withFileTypes: true })
        .filter(entry => entry.isFile())
        .map(entry => join(entry.parentPath, entry.name))
    : []
const processes = () => readdirSync('/proc').filter(name => /^\d+$/.test(name))

/** One masked text frame, as a browser would send it. */
function masked(text) {
  const body = Buffer.from(text)
  const mask = randomBytes(4)
  const head = body.length < 126 ? [0x81, 0x80 | body.length] : [0x81, 0x80 | 126, body.length >> 8, body.length & 255]
  return Buffer.concat([Buffer.from(head), mask, Buffer.from(body.map((byte, i) => byte ^ mask[i % 4]))])
}

/** Opens the feed and says these frames; the answer is the status, or what the host said. */
function feed(frames, host = '127.0.0.1') {
  const name = `localhost:${approverPort}`
  const headers = {
    host: name,
    origin: `http://${name}`,
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': randomBytes(16).toString('base64'),
  }
  return new Promise(resolve => {
    const asked = request({ host, port: approverPort, path: '/feed', headers })
    asked.on('response', response => resolve(`refused ${response.statusCode}`))
    asked.on('error', cause => resolve(`error ${cause.code}`))
    asked.on('upgrade', (_, socket) => {
      let heard = ''
      socket.on('data', chunk => {
        heard += chunk.toString('utf8')
        if (heard.includes('"admitted"')) resolve('ADMITTED')
        if (heard.includes('"refused"')) resolve('let in, refused by name')
      })
      socket.on('close', () => resolve('let in, shown out'))
      for (const frame of frames) socket.write(masked(JSON.stringify(frame)))
      setTimeout(resolve, 3000, 'let in, nothing more')
    })
    asked.end()
  })
}

const keyIn = name => Buffer.from(read(join(state, name)).trim(), 'hex')

/** Speaks NDJSON over TLS with the key that lies in the state directory. */
function speak(identity, port, talk, psk = keyIn('local.key')) {
  return new Promise(resolve => {
    const socket = connect({
      host: '127.0.0.1',
      port,
      ciphers: 'TLS_AES_128_GCM_SHA256',
      minVersion: 'TLSv1.3',
      maxVersion: 'TLSv1.3',
      pskCallback: () => ({ identity, psk }),
      checkServerIdentity: () => undefined,
    })
    const send = frame => socket.write(`${JSON.stringify(frame)}\n`)
    const binding = () =>
      socket.exportKeyingMaterial(32, 'EXPORTER-interactive-terminal', Buffer.alloc(0)).toString('hex')
    let rest = ''
    socket.on('data', chunk => {
      rest += chunk
      const lines = rest.split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines.filter(Boolean)) {
        const frame = JSON.parse(line)
        const done = talk(frame, send, binding)
        if (frame.type === 'admitted') resolve('ADMITTED')
        else if (done !== undefined) resolve(done)
      }
    })
    socket.on('secureConnect', () => talk({ type: 'open' }, send, binding))
    socket.on('error', cause => resolve(`error ${cause.code}`))
    socket.on('close', () => resolve('shown out'))
    setTimeout(resolve, 4000, 'no answer')
  })
}

const opening = randomBytes(32).toString('hex')
const commitment = createHash('sha256').update(`opening ${opening}`).digest('hex')
const attach = surface => ({ type: 'attach', protocol_version: 2, surface, name: 'the person', commitment })
const hello = { type: 'hello', protocol_version: 1, capabilities: [], trace_id: 't', runtime_session_id: 'battery' }
const asApprover = (surface, more) =>
  speak('approver', approverPort, (frame, send, binding) => {
    if (frame.type === 'open') send(attach(surface))
    if (frame.type === 'refused') return `refused: ${frame.reason.slice(0, 60)}`
    return more?.(frame, send, binding)
  })
const asClient = more =>
  speak('local', clientPort, (frame, send) => {
    if (frame.type === 'open') send(hello)
    return more(frame, send)
  })
/** What the host says to pty-host; its key is derived from a file that we can read. */
const asHost = () => {
  const { instance_id, port } = JSON.parse(read(join(state, 'pty-host.json')))
  const key = Buffer.from(hkdfSync('sha256', keyIn('host.key'), instance_id, 'interactive-terminal pty-host', 32))
  const token = randomBytes(32).toString('hex')
  const talk = (frame, send) => {
    if (frame.type === 'open')
      send({ type: 'hello', protocol_version: 2, host_id: 'host_evil', host_pid: 1, token, approver: null })
    if (frame.type === 'hello_ack') return 'LET IN'
    return frame.type === 'refused' ? `refused: ${frame.reason}` : undefined
  }
  return speak('host', port, talk, key)
}
const ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex')
const window = (kind, id) => ({
  type: 'window_hello',
  protocol_version: 1,
  credential: { kind, id },
  nonce: 'ab'.repeat(32),
})

/** The command line in a terminal, as a person has one: whoever is refused there is not refused for having none. */
function typed(...words) {
  const line = [process.execPath, product, ...words].map(word => `'${word}'`).join(' ')
  const options = { timeout: 15_000, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }
  const { status, stdout } = spawnSync('script', ['-qec', line, '/dev/null'], options)
  return `ended with ${status}: ${stdout.trim().split(/\r?\n/).at(-1)}`
}

function untyped(...words) {
  const { status, stderr } = spawnSync(process.execPath, [product, ...words], { timeout: 15_000, encoding: 'utf8' })
  return `ended with ${status}: ${stderr.trim().split('\n').at(-1)}`
}

/** Named `bare`: from a helper that left its session, its parents and its environment behind. */
const ATTEMPTS = {
  'the page, as a browser would load it': () =>
    new Promise(resolve => {
      const headers = { host: `localhost:${approverPort}`, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
      request({ host: '127.0.0.1', port: approverPort, path: '/', headers }, response => {
        let body = ''
        response.on('data', chunk => {
          body += chunk
        })
        response.on('end', () => resolve(/[0-9a-f]{64}/.test(body) ? 'A SECRET' : `${response.statusCode}, no secret`))
      }).end()
    }),
  'A9x the feed': () => feed([]),
  'A9x the feed over IPv6': () => feed([], '::1'),
  'A9x the feed, from a daemon': () => elsewhere('daemon', 'A9x the feed'),
  'bare: A9x the feed with a ticket that was made up': () =>
    feed([window('ticket', 'tkt_0123'), { type: 'window_prove', proof: 'cd'.repeat(32) }]),
  'bare: A9x the feed with the session of somebody in the journal': () => {
    const id =
      /apr_[0-9a-f]{32}/.exec(read(join(state, 'journal.db')) + read(join(state, 'journal.db-wal')))?.[0] ?? 'apr_1'
    return feed([window('session', id), { type: 'window_prove', proof: 'cd'.repeat(32) }])
  },
  'bare: A9x the feed, answering without being let in': () =>
    feed([{ type: 'answer', ask_id: target, plan_hash: '', decision: { kind: 'approve', scope: { kind: 'once' } } }]),
  'A10x the approver listener, with the key': () => asApprover('terminal'),
  'A10x the approver listener, from a daemon': () => elsewhere('daemon', 'A10x the approver listener, with the key'),
  'bare: A10x the approver listener as the host’s own terminal': () =>
    asApprover('host_terminal', frame => (frame.type === 'challenge' ? 'challenged' : undefined)),
  'bare: A10x a window on the approver listener': () =>
    asApprover('window', frame => (frame.type === 'challenge' ? 'challenged' : undefined)),
  'bare: A10x a passphrase that was guessed': () =>
    asApprover('terminal', (frame, send) => {
      if (frame.type === 'challenge') send({ type: 'prove', signature: 'ab'.repeat(64) })
      return frame.problem ? `refused: ${frame.problem}` : undefined
    }),
  'bare: A10x a passphrase of its own, put in place of the person’s': () => {
    const seed = randomBytes(32)
    const key = createPrivateKey({ key: Buffer.concat([ED25519, seed]), format: 'der', type: 'pkcs8' })
    const publicKey = execFileSync(process.execPath, [
      '-e',
      `const c=require('crypto');process.stdout.write(c.createPublicKey(c.createPrivateKey({key:Buffer.from('${Buffer.concat([ED25519, seed]).toString('hex')}','hex'),format:'der',type:'pkcs8'})).export({format:'der',type:'spki'}).toString('hex'))`,
    ]).toString()
    const file = join(state, 'approver.v1.json')
    const before = read(file)
    writeFileSync(file, JSON.stringify({ v: 1, salt: '00'.repeat(16), cost: 16384, public_key: publicKey }))
    return asApprover('terminal', (frame, send, binding) => {
      if (frame.type === 'challenge' && !frame.problem) {
        const message = `interactive-terminal approver ${frame.nonce} ${binding()}`
        send({ type: 'prove', signature: sign(null, Buffer.from(message), key).toString('hex') })
      }
      return frame.problem ? `refused: ${frame.problem}` : undefined
    }).finally(() => writeFileSync(file, before))
  },
  'bare: A10x a code that was guessed': () =>
    asApprover('terminal', (frame, send) => {
      if (frame.type === 'challenge') send({ type: 'ask_code', opening })
      if (frame.type === 'code_shown' && !frame.problem) send({ type: 'enter_code', secret: '000000' })
      return frame.problem ? `refused: ${frame.problem}` : undefined
    }),
  'A7b an answer on the listener for clients': () =>
    asClient((frame, send) => {
      if (frame.type === 'hello_ack')
        send({ type: 'answer', ask_id: target, plan_hash: '', decision: { kind: 'approve', scope: { kind: 'once' } } })
      return frame.type === 'error' ? frame.error.code : undefined
    }),
  'A7c being an approver on the listener for clients': () =>
    asClient((frame, send) => {
      if (frame.type === 'hello_ack') send(attach('window'))
      return frame.type === 'error' ? frame.error.code : undefined
    }),
  'A7a a command that says it is allowlisted and approved': () =>
    asClient((frame, send) => {
      if (frame.type === 'hello_ack')
        send({
          type: 'command_request',
          request_id: 'self_1',
          trace_id: 't',
          command: '/bin/touch self-approved',
          allowlisted: true,
          approved: true,
          approved_by: 'person',
          approval_required: false,
        })
      return frame.type === 'progress' ? frame.phase : frame.type === 'command_response' ? frame.status : undefined
    }),
  'A7d the names approver, host, root and bridge on the listener for clients': async () => {
    const said = []
    for (const identity of ['approver', 'host', 'root', 'bridge'])
      for (const key of ['local.key', 'host.key'])
        said.push(
          await speak(
            identity,
            clientPort,
            (frame, send) => {
              if (frame.type === 'open') send(hello)
              return frame.type === 'hello_ack' ? `LET IN as ${identity} with ${key}` : undefined
            },
            keyIn(key),
          ),
        )
    return said.filter(each => each.startsWith('LET IN')).join(', ') || 'not let in'
  },
  'A8 the owner of terminals, with the key made of host.key': () => asHost(),
  'bare: A8 the owner of terminals, with the key made of host.key': () => asHost(),
  'a rule for itself, by frame': () =>
    asClient((frame, send) => {
      if (frame.type === 'hello_ack')
        send({
          type: 'allowlist_update',
          request_id: 'self_2',
          trace_id: 't',
          workspace_id: 'test',
          operation: 'add',
          patterns: ['/bin/touch *'],
        })
      return frame.type === 'allowlist_updated' ? frame.status : frame.type === 'accepted' ? 'asked' : undefined
    }),
  'the window, to catch its ticket': () =>
    asClient((frame, send) => {
      if (frame.type === 'hello_ack') send({ type: 'show_window', request_id: 'self_3', trace_id: 't' })
      return frame.type === 'window_shown'
        ? /ticket|[0-9a-f]{32}/.test(JSON.stringify(frame))
          ? 'A TICKET'
          : 'no ticket'
        : undefined
    }),
  'a ticket in the files of the host': () =>
    filesBelow(join(state, 'window')).some(file => /ticket=/.test(read(file))) ? 'A TICKET' : 'none',
  'secrets in the state directory, each tried as a session': async () => {
    const found = new Set(filesBelow(state).flatMap(file => read(file).match(/\b[0-9a-f]{64}\b/g) ?? []))
    const id =
      /apr_[0-9a-f]{32}/.exec(read(join(state, 'journal.db-wal')) + read(join(state, 'journal.db')))?.[0] ?? 'apr_1'
    for (const secret of [...found].slice(0, 20)) {
      const proof = createHmac('sha256', Buffer.from(secret, 'hex')).update(id).digest('hex')
      if ((await feed([window('session', id), { type: 'window_prove', proof }])) === 'ADMITTED') return 'ADMITTED'
    }
    return 'none'
  },
  'A25b its own environment': () => (/ticket|[0-9a-f]{64}/.test(read('/proc/self/environ')) ? 'A SECRET' : 'none'),
  'A25b the environment of every process': () =>
    processes().some(pid => /ticket=|TERMINAL_(KEY|SECRET|TICKET)=/.test(read(`/proc/${pid}/environ`)))
      ? 'A SECRET'
      : 'none',
  'A25a the arguments of every process': () =>
    processes().some(pid => /#ticket=tkt_/.test(read(`/proc/${pid}/cmdline`))) ? 'A TICKET' : 'none',
  'the approver of the command line': () => typed('approve'),
  'A27 a rule for itself, by command line in a terminal of its own': () => typed('policy', 'add', '/bin/touch *'),
  'A27 trust for its folder, by command line': () => untyped('policy', 'trust', process.cwd()),
  'A27 trust for its folder, in a terminal of its own': () => typed('policy', 'trust', process.cwd()),
  'A28 a pairing of its own, by command line': () => untyped('pair', 'evil'),
  'A28 a pairing of its own, in a terminal of its own': () => typed('pair', 'evil'),
  'a second start': () => {
    const { stdout } = spawnSync(process.execPath, [product], { timeout: 15_000, encoding: 'utf8' })
    return /ticket=/.test(stdout) ? 'A TICKET' : 'no ticket'
  },
  'A14 the debugger of the window': () =>
    filesBelow(join(state, 'window')).some(file => file.endsWith('DevToolsActivePort')) ? 'OPEN' : 'none',
}

/** The same from another process: a daemon of its own session; bare: without the environment that tells where it comes from. */
async function elsewhere(how, name) {
  const result = join(mkdtempSync(join(tmpdir(), 'it-self-')), 'result')
  const line = [process.execPath, script, state, clientPort, approverPort, product, target, name]
  const wrapped = ['sh', '-c', 'out=$1; shift; exec "$@" > "$out.part" 2>&1', 'sh', result, ...line]
  const bare = ['env', '-i', 'PATH=/usr/bin:/bin', ...wrapped]
  const [program, ...args] = ['setsid', '-f', ...(how === 'bare' ? bare : wrapped)]
  spawn(program, args, { stdio: 'ignore', detached: true }).unref()
  for (let waited = 0; waited < 10_000; waited += 100) {
    const said = /^RESULT (.*)$/m.exec(read(`${result}.part`))?.[1]
    if (said !== undefined) return said
    await after(100)
  }
  return `no result: ${read(`${result}.part`).slice(0, 200)}`
}

if (only) {
  process.stdout.write(`RESULT ${await ATTEMPTS[only]()}\n`)
  process.exit(0)
}
const outcome = {}
for (const [name, attempt] of Object.entries(ATTEMPTS))
  outcome[name] = await (name.startsWith('bare: ') ? elsewhere('bare', name) : attempt())
process.stdout.write(`${JSON.stringify(outcome)}\n`)
process.exit(0)
