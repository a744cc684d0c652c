import { createHash } from 'node:crypto'

/** What the disk says about where a command is to be tried. All paths are real ones. */
export interface JailPlace {
  /** The folder the person switched it on for. */
  readonly workspace: string
  readonly cwd: string
  readonly home: string
  /** Directories of the system that are there, and links among them: `/bin` to `usr/bin`. */
  readonly system: readonly { readonly path: string; readonly link: string | null }[]
  /** Directories of tools that are elsewhere, from PATH. */
  readonly tools: readonly string[]
  /** Files and directories whose content opens something, inside the folder, and our own. */
  readonly hidden: readonly { readonly path: string; readonly kind: 'file' | 'directory' }[]
}

/** One part of the profile. `name` is what the tests take it out by: each must be needed. */
export interface ProfileLine {
  readonly name: string
  readonly args: readonly string[]
}

const PROCESSES = 512
const DATA_BYTES = 4 * 1024 ** 3
const SCRATCH_BYTES = 512 * 1024 ** 2

/** The descriptors that the starter opens for bubblewrap; what it starts has neither. */
export const FILTER_FD = 9
export const STATUS_FD = 7

/**
 * The read-only sandbox, line by line, in the order in which bubblewrap takes them. Nothing of the machine is there but what is
 * listed: the system's own directories, the tools on PATH and the folder, all read-only, and a scratch /tmp that goes with it.
 */
export function profileLines({ workspace, cwd, home, system, tools, hidden }: JailPlace): ProfileLine[] {
  return [
    { name: 'user', args: ['--unshare-user'] },
    { name: 'pid', args: ['--unshare-pid'] },
    { name: 'ipc', args: ['--unshare-ipc'] },
    { name: 'uts', args: ['--unshare-uts'] },
    { name: 'cgroup', args: ['--unshare-cgroup'] },
    { name: 'network', args: ['--unshare-net'] },
    { name: 'nested', args: ['--disable-userns'] },
    { name: 'parent', args: ['--die-with-parent'] },
    {
      name: 'system',
      args: system.flatMap(({ path, link }) => (link === null ? ['--ro-bind', path, path] : ['--symlink', link, path])),
    },
    { name: 'processes', args: ['--proc', '/proc'] },
    { name: 'kernel_settings', args: ['--ro-bind', '/proc/sys', '/proc/sys'] },
    { name: 'devices', args: ['--dev', '/dev'] },
    ...['/tmp', '/var/tmp', '/dev/shm'].map(path => ({
      name: `scratch ${path}`,
      args: ['--size', String(SCRATCH_BYTES), '--perms', '1777', '--tmpfs', path],
    })),

    { name: 'home', args: ['--tmpfs', home] },
    { name: 'tools', args: tools.flatMap(path => ['--ro-bind', path, path]) },
    { name: 'workspace', args: ['--ro-bind', workspace, workspace] },
    {
      name: 'hidden',
      args: hidden.flatMap(({ path, kind }) =>
        // A device on a mount without devices cannot be opened, whoever asks.
        kind === 'file' ? ['--ro-bind', '/dev/null', path] : ['--perms', '0000', '--tmpfs', path],
      ),
    },
    // Both are ways to what is mounted below, and empty beside that.
    { name: 'home_empty', args: ['--remount-ro', home] },
    { name: 'root', args: ['--remount-ro', '/'] },
    { name: 'calls', args: ['--seccomp', String(FILTER_FD)] },
    { name: 'status', args: ['--json-status-fd', String(STATUS_FD)] },
    { name: 'directory', args: ['--chdir', cwd] },
  ]
}

/** Set inside: outside they would count all that the person runs. And Ctrl+C is for the program, which may not ignore it from birth. */
export const INSIDE: readonly string[] = [
  'prlimit',
  `--nproc=${PROCESSES}`,
  `--data=${DATA_BYTES}`,
  '--core=0',
  'env',
  '--default-signal=INT,QUIT,TSTP',
]

/**
 * Around it: lets go of what it inherited, opens what bubblewrap reads and writes, and takes Ctrl+C for itself no more, so that it
 * reaches the program. A shell that cannot close a high number ends here, and nothing has started.
 * Words: the filter, where the status goes, then bubblewrap with all of its words.
 */
export const STARTER = [
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell's
  'for f in /proc/self/fd/*; do f=${f##*/}; case $f in [0-2]) ;; *) eval "exec $f>&-" || exit 125 ;; esac; done',
  "trap '' INT QUIT TSTP",
  `exec ${FILTER_FD}<"$1" ${STATUS_FD}>"$2" || exit 125`,
  'shift 2',
  'exec "$@"',
].join('; ')

/** Stands for what the sandbox allows: in the hash of the plan, in the journal. */
export const profileHash = (lines: readonly ProfileLine[], filter: Buffer): string =>
  createHash('sha256')
    .update(JSON.stringify([lines, INSIDE, STARTER]))
    .update(filter)
    .digest('hex')
