import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { PRODUCT } from '../drivers/place.ts'

const here = import.meta.dirname
export const IMAGE = 'localhost/interactive-terminal-test'
const APP = resolve(PRODUCT, '..')

export interface ContainerOptions {
  readonly name: string
  readonly env: Readonly<Record<string, string>>
  /** Same path inside as outside, unless `at` says otherwise. */
  readonly mounts: readonly { readonly path: string; readonly at?: string; readonly how: 'ro' | 'rw' }[]
  readonly secret?: { readonly file: string; readonly target: string }
  readonly cwd: string
  readonly network?: 'none' | 'internal'
  readonly command: readonly string[]
}

export interface Started {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Record<string, string>
}

/** Containers for tests: podman where it is installed, network namespaces with a root of their own where it is not. */
export interface Engine {
  readonly name: string
  /** How to start a container with its stdin and stdout as ours. */
  start(options: ContainerOptions): Started
  end(): void
}

export type EngineKind = 'podman' | 'namespaces'

/** What there is on this machine. IT_ENGINE=namespaces: as if there were no engine. */
export function engineHere(): EngineKind {
  if (process.env.IT_ENGINE === 'namespaces') return 'namespaces'
  return spawnSync('podman', ['--version']).status === 0 ? 'podman' : 'namespaces'
}

export interface EnginePlace {
  readonly kind: EngineKind
  /** Where this engine keeps its records, alone. */
  readonly directory: string
  /** Where the root and the image lie, which several engines may share: they only read them. */
  readonly made: string
}

export function openEngine({ kind, directory, made }: EnginePlace): Engine {
  return kind === 'podman' ? openPodman(directory) : openNamespaces(made)
}

/** Makes a root out of this machine's own files, and an image of it where there is an engine: nothing is pulled. */
export function makeImage(kind: EngineKind, made: string): void {
  execFileSync(join(here, 'make-root.sh'), [join(made, 'rootfs')])
  if (kind !== 'podman') return
  configurePodman(made, made)
  const make = `tar -C "$1" -c . | podman import -q --change 'ENV PATH=/usr/bin:/bin' - "$2"`
  // In a network of its own: an engine changes the machine it runs on.
  execFileSync(join(here, 'in-netns.sh'), ['sh', '-c', make, 'sh', join(made, 'rootfs'), IMAGE], {
    env: podmanEnv(made),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
}

/** An engine that finds the image of `made`. */
export function prepareEngine({ kind, directory, made }: EnginePlace): void {
  if (kind === 'podman' && made !== directory) configurePodman(directory, made)
}

/** The environment of the engine: its images and records lie in `directory` and nowhere else. */
export function podmanEnv(directory: string): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: directory,
    CONTAINERS_CONF: join(directory, 'containers.conf'),
    CONTAINERS_STORAGE_CONF: join(directory, 'storage.conf'),
  }
}

function configurePodman(directory: string, made: string): void {
  const storage = `[storage]\ndriver = "overlay"\ngraphroot = "${directory}/store"\nrunroot = "${directory}/run"\n`
  const shared = made === directory ? '' : `[storage.options]\nadditionalimagestores = ["${made}/store"]\n`
  writeFileSync(join(directory, 'storage.conf'), storage + shared)
  writeFileSync(
    join(directory, 'containers.conf'),
    `[containers]
default_ulimits = ["nofile=1024:8192", "nproc=8192:8192"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
[network]
network_backend = "netavark"
`,
  )
}

function openPodman(directory: string): Engine {
  const env = podmanEnv(directory)
  const engine = (...args: readonly string[]): string =>
    execFileSync('podman', args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
  const version = engine('version', '--format', '{{.Client.Version}}')
  return {
    name: `podman ${version}`,
    start({ name, env: inside, mounts, secret, cwd, network, command }) {
      if (secret) {
        spawnSync('podman', ['secret', 'rm', name], { env })
        engine('secret', 'create', name, secret.file)
      }
      return {
        command: 'podman',
        env,
        args: [
          ...['run', '-i', '--rm', '--replace', '--name', name, '--user', '0:0', '-w', cwd],
          ...['--cap-drop', 'all', '--security-opt', 'no-new-privileges'],
          // A name server that cannot be reached would hold up even those who do not ask it.
          ...(network ? ['--network', network] : ['--dns-opt', 'timeout:1']),
          ...(secret ? ['--secret', `${name},target=${secret.target},mode=0400,uid=0`] : []),
          ...mounts.flatMap(({ path, at = path, how }) => ['-v', `${path}:${at}:${how}`]),
          ...Object.entries(inside).flatMap(([key, value]) => ['-e', `${key}=${value}`]),
          ...['-v', `${APP}:/opt/interactive-terminal:ro`, IMAGE],
          ...command,
        ],
      }
    },
    end() {
      spawnSync('podman', ['rm', '-af', '-t', '0'], { env })
    },
  }
}

let subnets = 0

function openNamespaces(made: string): Engine {
  return {
    name: 'network namespaces (no container engine)',
    start({ env: inside, mounts, secret, cwd, network, command }) {
      subnets += 1
      return {
        command: join(here, 'in-namespace.sh'),
        env: { PATH: process.env.PATH ?? '' },
        args: [
          ...[join(made, 'rootfs'), network === 'none' ? 'none' : String(subnets), cwd, secret?.file ?? '-'],
          ...mounts.map(({ path, at = path, how }) => `${path}:${at}:${how}`),
          ...[`${APP}:/opt/interactive-terminal:ro`, '--'],
          ...Object.entries(inside).map(([key, value]) => `${key}=${value}`),
          ...['--', ...command],
        ],
      }
    },
    end() {},
  }
}
