import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { AnyResponse } from '../../src/contract/tool/response.ts'
import { endOf, type Opened, openCommand } from '../drivers/mcp-client.ts'
import { IMAGE as BASE, podmanEnv } from './engine.ts'
import { executing } from './side.ts'
import { soon } from './soon.ts'
import { TwoSides } from './two-sides.ts'

const root = resolve(import.meta.dirname, '../..')
const { kind, directory } = inject('engine')
const engineEnv = podmanEnv(directory)

interface Said {
  readonly code: number
  readonly out: string
  readonly err: string
}

function run(program: string, args: readonly string[], env: Record<string, string> = engineEnv): Promise<Said> {
  return new Promise(done =>
    execFile(program, args, { env, cwd: root, timeout: 50_000 }, (error, out, err) =>
      done({ code: error ? Number(error.code ?? -1) : 0, out, err }),
    ),
  )
}
const podman = async (...args: readonly string[]): Promise<string> => {
  const { code, out, err } = await run('podman', args)
  if (code !== 0) throw new Error(`podman ${args.join(' ')}: ${err}`)
  return out.trim()
}

/** What docs/containers.md tells a person to do, done. */
describe.skipIf(kind !== 'podman')('the image', () => {
  let world: TwoSides
  const started: ChildProcess[] = []
  beforeAll(async () => {
    await podman('build', '--format', 'docker', '--build-arg', `NODE_IMAGE=${BASE}`, '-t', 'interactive-terminal', '.')
    world = new TwoSides({ PM_TERM_BRIDGE_ADDRESS: 'auto' })
    world.pair('box')
    await world.startHost()
    await world.attach()
  })
  afterAll(async () => {
    for (const child of started) await endOf(child)
    await world.end()
  })
  const runContainer = (args: readonly string[], env: Record<string, string> = {}) => ({
    command: join(root, 'run-container.sh'),
    args,
    env: { ...world.place.env(), ...engineEnv, HOME: world.place.root, ENGINE: 'podman', ...env },
  })

  /** The gateway of the network comes with its first container; the host takes half a second to see it. */
  const reachable = async (start: ReturnType<typeof runContainer>): Promise<Opened> => {
    const server = await openCommand(start, world.place, { place: world.place })
    await soon('the host is reached', async () => {
      const { data } = await server.interactive({ action: 'list' })
      return data.result.warning === undefined
    })
    return server
  }

  test('is small, runs as an ordinary user and has no name of any host in it', async () => {
    const [image] = JSON.parse(await podman('image', 'inspect', 'interactive-terminal')) as {
      Size: number
      Config: { User: string; Env: string[] }
      Healthcheck?: { Interval: number }
    }[]
    const [base] = JSON.parse(await podman('image', 'inspect', BASE)) as { Size: number }[]
    expect((image?.Size ?? 0) - (base?.Size ?? 0)).toBeLessThan(9_000_000)
    expect(image).toMatchObject({ Config: { User: '1000:1000' }, Healthcheck: { Interval: 30_000_000_000 } })
    expect(image?.Config.Env.join('\n')).not.toMatch(/ALIAS|internal|gateway/)
    expect(await podman('run', '--rm', '--entrypoint', 'id', 'interactive-terminal', '-u')).toBe('1000')
  })

  test('says everything that is missing, with how to mend it, and starts all the same', async () => {
    const { code, err, out } = await run('podman', ['run', '--rm', 'interactive-terminal', 'mcp'])
    expect([code, out]).toEqual([0, ''])
    expect(err).toContain('PM_INTERACTIVE_TERMINAL_KEY_FILE is not set')
    expect(err).toContain('npm start -- pair <name>')
    expect(err).toContain('PM_TERM_DATA_DIR is not set')
  })

  test.each([
    ['an adapter that cannot be', ['-e', 'PM_TERM_ADAPTER_MODE=local'], 'there is no host in a container'],
    ['a container that says it is none', ['-e', 'PM_RUNNING_IN_CONTAINER=false'], 'but this is a container'],
    ['rules that are not there', ['-e', 'PM_TERM_DATA_DIR=/nowhere'], '/nowhere is no directory'],
    ['a token that is not there', ['-e', 'PM_TERM_HTTP_TOKEN_FILE=/nowhere'], '/nowhere cannot be read by user 1000'],
  ])('does not start with %s', async (_, options, problem) => {
    const { code, err } = await run('podman', ['run', '--rm', ...options, 'interactive-terminal'])
    expect([code, err]).toEqual([78, expect.stringContaining(problem)])
  })

  test('with the run script an agent in it reaches the person outside', async () => {
    const server = await reachable(runContainer(['box', 'mcp']))
    const asked = server.interactive(executing('script:1', '/bin/echo from the image'))
    world.approver.approve(await world.approver.question(({ request_id }) => request_id === 'script:1'))
    expect((await asked).data).toMatchObject({ success: true, result: { stdout: 'from the image\n' } })
    const { data } = await server.headless({ action: 'get_allowlist', workspace_id: 'test' })
    expect(data.result.workspace).toMatchObject({ directory: world.place.work })
    await server.close()
  })

  test('doctor in the container goes the whole way to the host and says so', async () => {
    const { command, args, env } = runContainer(['box', 'doctor'])
    await soon('all is well', async () => {
      const { out } = await run(command, args, env)
      return out.includes('we are "box" there, 1 can be asked') && out.includes('All is well.')
    })
  })

  test('with the run script and no network it goes over the socket file', async () => {
    const server = await reachable(runContainer(['box', 'mcp'], { NETWORK: 'none' }))
    const asked = server.interactive(executing('script:2', '/bin/echo offline'))
    world.approver.approve(await world.approver.question(({ request_id }) => request_id === 'script:2'))
    expect((await asked).data.result.stdout).toBe('offline\n')
    await server.close()
  })

  test.each([
    ['nobody paired', ['stranger', 'mcp'], {}, '"stranger" is not paired'],
    ['no image', ['box', 'mcp'], { IMAGE: 'none' }, 'there is no image none'],
    ['no engine', ['box', 'mcp'], { ENGINE: 'nerdctl' }, 'there is no nerdctl here'],
  ])('the run script starts nothing with %s', async (_, args, env, problem) => {
    const { command, env: all } = runContainer(args, env)
    const { code, err } = await run(command, args, all)
    expect([code, err]).toEqual([2, expect.stringContaining(problem)])
  })

  test('serves MCP over HTTP to who holds the token, on this machine only, and tells that it is well', async () => {
    const token = 't'.repeat(43)
    writeFileSync(join(world.place.home, 'state/http-token'), `${token}\n`, { mode: 0o600 })
    const { command, args, env } = runContainer(['box', 'http'], { HTTP_PORT: '13000' })
    const child = spawn(command, args, { env, cwd: world.place.work, stdio: ['ignore', 'ignore', 'inherit'] })
    started.push(child)
    const at = 'http://127.0.0.1:13000'
    const health = () => fetch(`${at}/health`).catch(() => null)
    await soon('it is well', async () => (await health())?.ok === true)
    expect(await (await health())?.json()).toMatchObject({ status: 'ok' })
    expect((await fetch(`${at}/mcp`, { method: 'POST', body: '{}' })).status).toBe(401)
    const client = new Client({ name: 'test', version: '1' })
    const headers = { authorization: `Bearer ${token}` }
    await client.connect(new StreamableHTTPClientTransport(new URL(`${at}/mcp`), { requestInit: { headers } }))
    const asked = client.callTool({
      name: 'memory_terminal_interactive',
      // Over HTTP nobody knows where a client is: it says so.
      arguments: executing('http:1', '/bin/echo over http', { runtime: { cwd: world.place.work } }),
    })
    world.approver.approve(await world.approver.question(({ request_id }) => request_id === 'http:1'))
    expect(AnyResponse.parse((await asked).structuredContent).result.stdout).toBe('over http\n')
    const id = await podman('ps', '-q', '-n', '1')
    // It has three seconds for its answer: not always enough beside every other test.
    const well = () =>
      podman('healthcheck', 'run', id).then(
        () => true,
        () => false,
      )
    await soon('its own check finds it well', well)
    await client.close()
    await podman('kill', id)
  })

  test('a key that others in the container could read is not used', async () => {
    const key = join(world.place.root, 'open.key')
    writeFileSync(key, readFileSync(join(world.place.home, 'state/keys/box.key')))
    chmodSync(key, 0o644)
    const options = world.inContainer('open', {
      secret: { file: key, target: 'unused' },
      mounts: [{ path: key, at: '/open.key', how: 'ro' }],
      env: { PM_INTERACTIVE_TERMINAL_KEY_FILE: '/open.key' },
    })
    const server = await openCommand(world.engine.start(options), world.place, { place: world.place })
    const { data } = await server.interactive(executing('open:1', 'touch ran'))
    expect(data.error).toMatchObject({ code: 'PM_TERM_INVALID_MODE', message: expect.stringContaining('other users') })
    expect(existsSync(join(world.place.work, 'ran'))).toBe(false)
    await server.close()
  })
})
