// A helper of an approved command that left its session, its parents and its environment behind (see test/drivers/bare.ts). The host is
// dead; it comes to the owner of the terminals as if it were the next one, and types into every terminal that is there.
// argv: state directory, what to type, file for what came of it
import { hkdfSync, randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from 'node:tls'

const [, , state, line, outcome] = process.argv
const tell = text => {
  writeFileSync(outcome, text)
  process.exit(0)
}
setTimeout(tell, 20_000, 'no answer')
const { instance_id, port } = JSON.parse(readFileSync(join(state, 'pty-host.json'), 'utf8'))
const secret = Buffer.from(readFileSync(join(state, 'host.key'), 'utf8').trim(), 'hex')
const psk = Buffer.from(hkdfSync('sha256', secret, instance_id, 'interactive-terminal pty-host', 32))
const socket = connect({
  host: '127.0.0.1',
  port,
  ciphers: 'TLS_AES_128_GCM_SHA256',
  minVersion: 'TLSv1.3',
  pskCallback: () => ({ identity: 'host', psk }),
  checkServerIdentity: () => undefined,
})
const send = frame => socket.write(`${JSON.stringify(frame)}\n`)
const token = randomBytes(32).toString('hex')
const ptys = []
let rest = ''
socket.on('secureConnect', () =>
  send({ type: 'hello', protocol_version: 2, host_id: 'host_evil', host_pid: 1, token, approver: null }),
)
socket.on('data', chunk => {
  rest += chunk
  const lines = rest.split('\n')
  rest = lines.pop() ?? ''
  for (const frame of lines.filter(Boolean).map(each => JSON.parse(each))) {
    if (frame.type === 'refused') tell(`refused: ${frame.reason}`)
    if (frame.type === 'pty') ptys.push(frame.pty_id)
    if (frame.type === 'hello_ack') {
      for (const pty_id of ptys) send({ type: 'input', pty_id, data: Buffer.from(`${line}\r`).toString('base64') })
      send({ type: 'unlock', nonce: frame.nonce ?? '', binding: '', signature: '00' })
    }
    if (frame.type === 'unlocked') {
      for (const pty_id of ptys) send({ type: 'input', pty_id, data: Buffer.from(`${line}\r`).toString('base64') })
      socket.end(() => tell(`${ptys.length} terminals, unlocked: ${frame.right}`))
    }
  }
})
socket.on('error', cause => tell(`error ${cause.code}`))
