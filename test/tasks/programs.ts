import type { Place } from '../drivers/place.ts'

/** The programs of the tasks, executable in the workspace: as a script each is allowed headless, by `node` or `bash` it is asked for. */
const PROGRAMS = {
  /** A development server: takes a moment, then listens. */
  'dev-server': `#!/usr/bin/env node
const port = Number(process.argv[2])
console.log('compiling')
setTimeout(() => require('node:http').createServer((_, answer) => answer.end('hello')).listen(port, '127.0.0.1', () =>
  console.log('ready on http://localhost:' + port)), 300)
`,
  /** Prints so many megabytes, and one test that fails somewhere in the middle. */
  'run-tests': `#!/usr/bin/env node
const { writeSync } = require('node:fs')
const [, , megabytes, failing] = process.argv
const line = n => (n === Number(failing) ? 'not ok ' + n + ' - sums of case ' + n : 'ok ' + n + ' - case ' + n + ' ' + '.'.repeat(80)) + '\\n'
let n = 0
for (let bytes = 0; bytes < megabytes * 1048576; ) {
  let page = ''
  while (page.length < 65536) page += line(++n)
  for (let at = 0; at < page.length; ) {
    try { at += writeSync(1, page.slice(at)) } catch (fault) { if (fault.code !== 'EAGAIN') throw fault }
  }
  bytes += page.length
}
process.exitCode = 1
`,
  /** A build that takes longer than whoever waits for it. */
  'build-all': `#!/usr/bin/env node
const { appendFileSync, writeFileSync } = require('node:fs')
const [, , ms, directory] = process.argv
appendFileSync(directory + '/started', 'once\\n')
console.log('building')
setTimeout(() => { writeFileSync(directory + '/built', 'done'); console.log('built 12 files') }, Number(ms))
`,
  /** Counts something for a while and says the sum at the end. */
  'count-job': `#!/usr/bin/env node
const [, , directory] = process.argv
let sum = 0, step = 0
const timer = setInterval(() => {
  sum += ++step * 7
  console.log('step ' + step)
  if (step < 8) return
  clearInterval(timer)
  require('node:fs').writeFileSync(directory + '/sum', String(sum))
  console.log('the sum is ' + sum)
}, 60)
`,
  /** Runs until it is ended, and says its pid in a file. */
  worker: `#!/usr/bin/env node
require('node:fs').writeFileSync(process.argv[2], String(process.pid))
console.log('working')
setInterval(() => {}, 1000)
`,
  /** Asks at the terminal itself, without echo, as ssh and sudo do. */
  deploy: `#!/usr/bin/env bash
exec 3</dev/tty
printf "deploy@server's password: " >/dev/tty
IFS= read -rs password <&3; echo >/dev/tty
[ "$password" = 'hunter2 is long' ] || { echo 'Permission denied'; exit 1; }
echo yes > "$1/deployed"; echo deployed
`,
  /** What was right at first and is wrong now. */
  check: `#!/usr/bin/env node
process.exit(require('node:fs').readFileSync('value', 'utf8').includes('broken') ? 1 : 0)
`,
} as const

export type Program = keyof typeof PROGRAMS

/** Before a host runs: afterwards only a person at its window adds a rule. */
export function putPrograms(place: Place): void {
  for (const [name, text] of Object.entries(PROGRAMS)) place.script(name, text)
}
