// Many connections that say nothing, half a hello or garbage: `node crowd.mjs <how many> <port>…`. A process of its own: one
// process may not have as many files open as it likes, and a host does not share its with those who bother it.
// Says `here` when all of them got through or were turned away, and ends when none is left.
import { connect } from 'node:net'

const [many, ...ports] = process.argv.slice(2).map(Number)
let waiting = many
for (let i = 0; i < many; i++) {
  const socket = connect(ports[i % ports.length], '127.0.0.1')
  let isSettled = false
  const settle = () => {
    if (isSettled) return
    isSettled = true
    waiting -= 1
    if (waiting === 0) process.stdout.write('here\n')
  }
  socket.on('connect', settle).on('error', settle)
  if (i % 3 === 0) socket.write(Buffer.from([0x16, 0x03, 0x01]))
  else if (i % 3 === 1) socket.write('{"type":"hello"')
}
