// A helper of an approved command that left its session, its parents and its environment behind (see test/drivers/bare.ts). It waits
// for a ticket of the window, does something to the browser it is meant for, and comes with it itself.
// argv: state directory, approvers' port, kill | stop | leave, file for what came of it
import { createHmac, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'

const [, , state, port, what, outcome] = process.argv
const directory = join(state, 'window')
const tell = text => {
  writeFileSync(outcome, text)
  process.exit(0)
}
setTimeout(tell, 60_000, 'no ticket')

const read = path => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
const names = path => {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}
const findTicket = () => {
  for (const name of names(directory).filter(each => each.startsWith('open-'))) {
    const found = /#ticket=(tkt_[0-9a-f]+)\.([0-9a-f]{64})/.exec(read(join(directory, name)))
    if (found) return { id: found[1], secret: found[2] }
  }
  return null
}
/** The browser that is just starting: whoever was told that page, and all it has started. */
const browsers = () =>
  names('/proc').filter(pid => /^\d+$/.test(pid) && read(`/proc/${pid}/cmdline`).includes(directory))

function masked(text) {
  const body = Buffer.from(text)
  const mask = randomBytes(4)
  const head = body.length < 126 ? [0x81, 0x80 | body.length] : [0x81, 0x80 | 126, body.length >> 8, body.length & 255]
  return Buffer.concat([Buffer.from(head), mask, Buffer.from(body.map((byte, i) => byte ^ mask[i % 4]))])
}

function redeem({ id, secret }) {
  const origin = `http://localhost:${port}`
  const pageNonce = randomBytes(32).toString('hex')
  const asked = request({
    host: '127.0.0.1',
    port,
    path: '/feed',
    headers: {
      host: `localhost:${port}`,
      origin,
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': randomBytes(16).toString('base64'),
    },
  })
  asked.on('response', response => tell(`refused ${response.statusCode}`))
  asked.on('error', cause => tell(`error ${cause.code}`))
  asked.on('upgrade', (_, socket) => {
    let heard = ''
    let proved = false
    socket.on('data', chunk => {
      heard += chunk.toString('latin1')
      const nonce = /"window_challenge","nonce":"([0-9a-f]+)"/.exec(heard)?.[1]
      if (nonce && !proved) {
        proved = true
        const text = `interactive-terminal window page ${origin} ${id} ${pageNonce} ${nonce}`
        const proof = createHmac('sha256', Buffer.from(secret, 'hex')).update(text).digest('hex')
        socket.write(masked(JSON.stringify({ type: 'window_prove', proof })))
      }
      if (heard.includes('"admitted"')) tell('ADMITTED')
      const reason = /"refused","reason":"([^"]+)"/.exec(heard)?.[1]
      if (reason) tell(`refused: ${reason}`)
    })
    socket.on('close', () => tell('shown out'))
    const credential = { kind: 'ticket', id }
    socket.write(masked(JSON.stringify({ type: 'window_hello', protocol_version: 1, credential, nonce: pageNonce })))
  })
  asked.end()
}

const looking = setInterval(() => {
  const ticket = findTicket()
  const pids = ticket ? browsers() : []
  if (!ticket || (what !== 'leave' && pids.length === 0)) return
  clearInterval(looking)
  for (const pid of what === 'leave' ? [] : pids)
    try {
      process.kill(Number(pid), what === 'kill' ? 'SIGKILL' : 'SIGSTOP')
    } catch {
      // it has ended by itself
    }
  redeem(ticket)
}, 2)
