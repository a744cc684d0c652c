#!/usr/bin/env node
// Does what docs/containers.md says, literally: `npm run reality:containers`. A clean clone of HEAD, a clean home, two real
// terminals into which the page's blocks are typed in their order, and an agent's client on the server in the container. Everything
// but `npm ci` happens in a network namespace. Stand-ins, because of this machine: node:24-slim is made of its own files (nothing is
// pulled), podman is told to use runc, and the clone is built
// without the part that reads the marks of a container, so a host may run although this machine is one.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { blocksOf } from './page-blocks.mjs'
import { say, Typed } from './typed-terminal.mjs'

const root = join(import.meta.dirname, '..')
/** What each line must bring, beside an exit code of 0. */
const BRINGS = [
  [/ doctor$/, 'All is well.'],
  [/pair (box|compose)$/, '" is paired.'],
  [/--list$/, 'box '],
  [/\/health$/, '"status":"ok"'],
  [/Bearer/, /^400$/m],
  [/^ss /, /LISTEN.*127\.0\.0\.1:9101/],
  [/--revoke/, '"compose" is revoked'],
]

const [inside, place] = process.argv.slice(2)
if (inside === '--inside') await typeThePage(place)
else outside()

function outside() {
  const place = mkdtempSync(join(tmpdir(), 'it-page-'))
  try {
    const clone = join(place, 'interactive-terminal')
    execFileSync('git', ['clone', '-q', root, clone])
    // What is not committed yet is tried as well.
    const changed = execFileSync('git', ['ls-files', '-mo', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
    for (const file of changed.split('\n').filter(Boolean))
      execFileSync('cp', ['--parents', file, clone], { cwd: root })
    // The clone is built without the part that reads the marks of a container, because this machine may be one.
    writeFileSync(
      join(clone, 'src/cli/machine/machine-marks.ts'),
      "import type { MarkSources } from '../config/container-marks.ts'\n\nexport const machineMarks: MarkSources = { exists: () => false, read: () => null }\n",
    )
    mkdirSync(join(place, 'home'))
    for (const { where, lines } of blocksOf(clone))
      if (where === 'build')
        for (const line of lines) {
          say('build', line)
          execFileSync('bash', ['-ec', line], {
            cwd: clone,
            env: cleanEnv(place),
            stdio: ['ignore', 'ignore', 'inherit'],
          })
        }
    const again = [process.execPath, import.meta.filename ?? join(root, 'reality/containers.mjs'), '--inside', place]
    const { status } = spawnSync(join(root, 'test/netns/in-netns.sh'), again, { stdio: 'inherit' })
    process.exitCode = status ?? 1
  } finally {
    rmSync(place, { recursive: true, force: true, maxRetries: 10 })
  }
}

/** Nothing of whoever starts this but the way to Node and to the registry. */
function cleanEnv(place) {
  const kept = Object.entries(process.env).filter(([name]) =>
    /^(PATH|LANG|TERM|.*_proxy|npm_config_registry)$/i.test(name),
  )
  return { ...Object.fromEntries(kept), HOME: join(place, 'home'), TERM: 'xterm-256color' }
}

async function typeThePage(place) {
  const clone = join(place, 'interactive-terminal')
  const env = { ...cleanEnv(place), ...preparePodman(place) }
  checkUnits(clone, place)
  const { spawn } = createRequire(join(clone, 'package.json'))('@lydell/node-pty')
  const first = new Typed(spawn, { name: 'first terminal', cwd: clone, env })
  const second = new Typed(spawn, { name: 'second terminal', cwd: clone, env })
  try {
    for (const { where, lines } of blocksOf(clone)) {
      switch (where) {
        case 'build':
        case 'not run':
          break
        case 'first terminal':
          for (const line of lines.slice(0, -1)) await first.type(line)
          await first.begin(lines.at(-1), 'No commands waiting')
          break
        case 'first terminal, after q':
          first.press('q')
          await first.prompt()
          await first.begin(lines.join('\n'), 'Listening on')
          break
        case 'second terminal':
          for (const line of lines) await typedBeside(first, second, line)
          break
        case 'client':
          await asAnAgent(JSON.parse(lines.join('\n')), { clone, env, first })
          break
        default:
          throw new Error(`Nobody knows where to type what is for "${where}".`)
      }
    }
    console.log('Everything on the page was done, and came out as it says.')
  } catch (cause) {
    console.error(`The first terminal shows:\n${first.text}\n`)
    throw cause
  } finally {
    first.end()
    second.end()
    spawnSync('podman', ['rm', '-af', '-t', '0'], { env, stdio: 'ignore' })
  }
}

/** `pair` is a question in the first terminal: it is read there and answered with the key it names. */
async function typedBeside(first, second, line) {
  const pairs = /pair (box|compose)$/.exec(line)
  if (!pairs) return second.type(line, BRINGS.find(([fits]) => fits.test(line))?.[1])
  const done = second.type(line, '" is paired.')
  await first.approve(text => text.includes(pairs[1]), done)
  await done
}

async function asAnAgent({ mcpServers: { terminal: server } }, { clone, env, first }) {
  const needs = createRequire(join(clone, 'package.json'))
  const load = name => import(pathToFileURL(needs.resolve(name)).href)
  const { Client } = await load('@modelcontextprotocol/client')
  const { StdioClientTransport } = await load('@modelcontextprotocol/client/stdio')
  const client = new Client({ name: 'an agent', version: '1' })
  const command = server.command.replace('/path/to', clone)
  say('client', `${server.command} ${server.args.join(' ')}`)
  const cwd = join(env.HOME, 'project')
  await client.connect(new StdioClientTransport({ command, args: server.args, env, cwd, stderr: 'ignore' }))
  const line = '/bin/echo "from the container, run outside"'
  const asked = client.callTool({
    name: 'memory_terminal_interactive',
    arguments: {
      action: 'execute',
      invocation: { mode: 'interactive', intent: 'execute_command' },
      execution: { command: line },
    },
  })
  // The person sees the command, and who asks by the name its key proved.
  await first.approve(text => text.includes(line) && /box · /.test(text), asked)
  const { structuredContent: answer } = await asked
  if (answer.result?.stdout !== 'from the container, run outside\n' || answer.result.approved_by !== 'person')
    throw new Error(`The agent heard ${JSON.stringify(answer)}`)
  await client.close()
}

/** The engine as this machine can run it, with its images below `place`, and the base image out of this machine's own files. */
function preparePodman(place) {
  const at = join(place, 'podman')
  mkdirSync(at)
  writeFileSync(
    join(at, 'containers.conf'),
    '[containers]\ndefault_ulimits = ["nofile=1024:8192", "nproc=8192:8192"]\n[engine]\nruntime = "runc"\n' +
      'cgroup_manager = "cgroupfs"\nevents_logger = "file"\n[network]\nnetwork_backend = "netavark"\n',
  )
  const storage = `[storage]\ndriver = "overlay"\ngraphroot = "${at}/store"\nrunroot = "${at}/run"\n`
  writeFileSync(join(at, 'storage.conf'), storage)
  const env = {
    CONTAINERS_CONF: join(at, 'containers.conf'),
    CONTAINERS_STORAGE_CONF: join(at, 'storage.conf'),
    TMPDIR: place,
  }
  execFileSync(join(root, 'test/netns/make-root.sh'), [join(at, 'rootfs')])
  const make = `tar -C "$1" -c . | podman import -q --change 'ENV PATH=/usr/bin:/bin' - docker.io/library/node:24-slim`
  execFileSync('sh', ['-c', make, 'sh', join(at, 'rootfs')], { env: { ...process.env, ...env }, stdio: 'ignore' })
  return env
}

/** What can be said about units for systems that do not run here. */
function checkUnits(clone, place) {
  const units = name => join(clone, 'units', name)
  const verify = [
    '--user',
    'verify',
    units('interactive-terminal-bridge.socket'),
    units('interactive-terminal-bridge.service'),
  ]
  say('units', 'systemd-analyze --user verify units/interactive-terminal-bridge.{socket,service}')
  execFileSync('systemd-analyze', verify, { env: { ...process.env, XDG_RUNTIME_DIR: place }, stdio: 'inherit' })
  say('units', 'plist: is it well-formed?')
  const read =
    'import plistlib,sys; p = plistlib.load(open(sys.argv[1], "rb")); assert p["ProgramArguments"][1] == "bridge", p'
  execFileSync('/usr/bin/python3', ['-c', read, units('interactive-terminal-bridge.plist')], { stdio: 'inherit' })
}
