/** What a machine shows of itself; passed in, so that a test can be any machine. */
export interface MarkSources {
  exists(path: string): boolean
  /** null: there is no such file, or it is not ours to read. */
  read(path: string): string | null
}

export interface ContainerFinding {
  readonly inContainer: 'yes' | 'no' | 'unsure'
  /** What says so, in words that a person can check. */
  readonly why: readonly string[]
}

const FILES = ['/.dockerenv', '/run/.containerenv']
/** Set by whoever starts a container. An agent that sets one makes us stricter, never more open. */
const VARIABLES = ['KUBERNETES_SERVICE_HOST', 'REMOTE_CONTAINERS', 'CODESPACES']
const CGROUP_OF_CONTAINER = /\b(docker|kubepods|containerd|libpod|lxc|garden|buildkit)\b/
/** What the first process of a machine of one's own is called. */
const INIT = /^(systemd|init|init\(.*|openrc-init|runit|s6-svscan|launchd|procd|dinit|shepherd)$/

/** Whether this is a container: every mark there is, none of which a person has to set by hand. */
export function containerMarks(
  env: Readonly<Record<string, string | undefined>>,
  saidSo: boolean,
  machine: MarkSources,
): ContainerFinding {
  const kindOfInit = /(?:^|\0)container=([^\0]+)/.exec(machine.read('/proc/1/environ') ?? '')?.[1]
  const kindBySystemd = machine.read('/run/systemd/container')?.trim()
  const cgroup = machine.read('/proc/1/cgroup') ?? ''
  const inCgroup = CGROUP_OF_CONTAINER.exec(cgroup)?.[1]
  const why = [
    ...(saidSo || isYes(env.PM_RUNNING_IN_CONTAINER) ? ['PM_RUNNING_IN_CONTAINER is set'] : []),
    ...FILES.filter(machine.exists).map(file => `${file} exists`),
    ...(kindOfInit ? [`process 1 was started with container=${kindOfInit}`] : []),
    ...(kindBySystemd ? [`/run/systemd/container says ${kindBySystemd}`] : []),
    ...(inCgroup ? [`/proc/1/cgroup names ${inCgroup}`] : []),
    ...VARIABLES.filter(name => (env[name] ?? '') !== '' && env[name] !== 'false').map(name => `${name} is set`),
  ]
  if (why.length > 0) return { inContainer: 'yes', why }
  const first = machine.read('/proc/1/comm')?.trim()
  if (first === undefined || INIT.test(first)) return { inContainer: 'no', why: [] }
  return { inContainer: 'unsure', why: [`process 1 is "${first}", which is not how a machine of one’s own starts`] }
}

const isYes = (value: string | undefined): boolean => /^(1|true|yes|on)$/i.test(value ?? '')
