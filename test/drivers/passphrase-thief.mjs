// A helper of an approved command that left its session, its parents and its environment behind (see test/drivers/bare.ts). It ends the
// window, writes a passphrase of its own where the person's would lie, and asks to be let in with it.
// argv: state directory, approvers' port, passphrase, file for what came of it
import { createHash, createPrivateKey, createPublicKey, randomBytes, scryptSync, sign } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from 'node:tls'

const [, , state, port, passphrase, outcome] = process.argv
const tell = text => {
  writeFileSync(outcome, text)
  process.exit(0)
}
setTimeout(tell, 30_000, 'no answer')
const read = path => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
for (const pid of readdirSync('/proc').filter(name => /^\d+$/.test(name)))
  if (read(`/proc/${pid}/cmdline`).includes(join(state, 'window')))
    try {
      process.kill(Number(pid), 'SIGKILL')
    } catch {
      // it has ended by itself
    }

const salt = randomBytes(16)
const cost = 16384
const seed = scryptSync(passphrase, salt, 32, { N: cost, r: 8, p: 1 })
const head = Buffer.from('302e020100300506032b657004220420', 'hex')
const key = createPrivateKey({ key: Buffer.concat([head, seed]), format: 'der', type: 'pkcs8' })
const public_key = createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('hex')
writeFileSync(join(state, 'approver.v1.json'), JSON.stringify({ v: 1, salt: salt.toString('hex'), cost, public_key }))

const psk = Buffer.from(read(join(state, 'local.key')).trim(), 'hex')
function knock() {
  const socket = connect({
    host: '127.0.0.1',
    port,
    ciphers: 'TLS_AES_128_GCM_SHA256',
    minVersion: 'TLSv1.3',
    maxVersion: 'TLSv1.3',
    pskCallback: () => ({ identity: 'approver', psk }),
    checkServerIdentity: () => undefined,
  })
  const send = frame => socket.write(`${JSON.stringify(frame)}\n`)
  const commitment = createHash('sha256').update('x').digest('hex')
  let rest = ''
  socket.on('secureConnect', () =>
    send({ type: 'attach', protocol_version: 2, surface: 'terminal', name: 'the person', commitment }),
  )
  socket.on('data', chunk => {
    rest += chunk
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    for (const frame of lines.filter(Boolean).map(line => JSON.parse(line))) {
      if (frame.type === 'admitted') tell('ADMITTED')
      if (frame.type !== 'challenge') continue
      // The window may still count as there: then there is only a code.
      if (frame.code !== null) {
        socket.destroy()
        setTimeout(knock, 100)
      } else if (frame.problem) tell(`refused: ${frame.problem}`)
      else if (frame.passphrase === null) tell('refused: no passphrase counts')
      else {
        const binding = socket
          .exportKeyingMaterial(32, 'EXPORTER-interactive-terminal', Buffer.alloc(0))
          .toString('hex')
        const message = Buffer.from(`interactive-terminal approver ${frame.nonce} ${binding}`)
        send({ type: 'prove', signature: sign(null, message, key).toString('hex') })
      }
    }
  })
  socket.on('error', cause => tell(`error ${cause.code}`))
}
knock()
