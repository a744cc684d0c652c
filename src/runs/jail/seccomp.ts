/**
 * The filter of system calls inside the sandbox, for x64 and arm64: what reaches kernel code that no build or test needs, and every
 * kind of socket but those of a network that has only a loopback. A socket file is a way out that no namespace closes: it
 * answers on a read-only mount as well.
 */
const ERRNO = { EPERM: 1, ENOSYS: 38, EAFNOSUPPORT: 97 } as const

/** Name, number on x64, number on arm64; null: there is none. */
const DENIED: readonly (readonly [name: string, x64: number | null, arm64: number | null])[] = [
  ['mount', 165, 40],
  ['umount2', 166, 39],
  ['pivot_root', 155, 41],
  ['chroot', 161, 51],
  ['open_tree', 428, 428],
  ['move_mount', 429, 429],
  ['fsopen', 430, 430],
  ['fsconfig', 431, 431],
  ['fsmount', 432, 432],
  ['fspick', 433, 433],
  ['mount_setattr', 442, 442],
  ['unshare', 272, 97],
  ['setns', 308, 268],
  ['ptrace', 101, 117],
  ['process_vm_readv', 310, 270],
  ['process_vm_writev', 311, 271],
  ['add_key', 248, 217],
  ['request_key', 249, 218],
  ['keyctl', 250, 219],
  ['bpf', 321, 280],
  ['perf_event_open', 298, 241],
  ['userfaultfd', 323, 282],
  ['name_to_handle_at', 303, 264],
  ['open_by_handle_at', 304, 265],
  ['kexec_load', 246, 104],
  ['kexec_file_load', 320, 294],
  ['init_module', 175, 105],
  ['finit_module', 313, 273],
  ['delete_module', 176, 106],
  ['swapon', 167, 224],
  ['swapoff', 168, 225],
  ['reboot', 169, 142],
  ['acct', 163, 89],
  ['quotactl', 179, 60],
  ['iopl', 172, null],
  ['ioperm', 173, null],
]
/** Programs take another way where these are not there: clone3 hides its flags from a filter. */
const ABSENT: typeof DENIED = [
  ['io_uring_setup', 425, 425],
  ['io_uring_enter', 426, 426],
  ['io_uring_register', 427, 427],
  ['clone3', 435, 435],
]

const CALLS = {
  x64: { audit: 0xc000003e, column: 1, socket: 41, ioctl: 16, clone: 56 },
  arm64: { audit: 0xc00000b7, column: 2, socket: 198, ioctl: 29, clone: 220 },
} as const
export type FilteredMachine = keyof typeof CALLS
export const isFiltered = (machine: string): machine is FilteredMachine => Object.hasOwn(CALLS, machine)

const AF_INET = 2
const AF_INET6 = 10
const AF_NETLINK = 16
const TIOCSTI = 0x5412
const TIOCLINUX = 0x541c
/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
const NEW_NAMESPACES = 0x7e020000

const ALLOW = 0x7fff0000
const failing = (errno: number): number => 0x00050000 | errno
const LOAD = 0x20
const EQUAL = 0x15
const AT_LEAST = 0x35
const ANY_BIT = 0x45
const RETURN = 0x06
/** Of the data that a filter sees: the call, the machine, the low half of each argument. */
const CALL_AT = 0
const MACHINE_AT = 4
const argumentAt = (index: number): number => 16 + 8 * index

type FilterStep = readonly [code: number, yes: number, no: number, value: number]
const load = (offset: number): FilterStep => [LOAD, 0, 0, offset]
const answer = (value: number): FilterStep => [RETURN, 0, 0, value]
/** Jumps are short, so each question has its answer right behind it. */
const when = (code: number, value: number, then: readonly FilterStep[]): FilterStep[] => [
  [code, 0, then.length, value],
  ...then,
]

/** The filter as the kernel takes it. */
export function seccompFilter(machine: FilteredMachine): Buffer {
  const { audit, column, socket, ioctl, clone } = CALLS[machine]
  const numbers = (table: typeof DENIED) => table.flatMap(row => row[column] ?? [])
  const steps: FilterStep[] = [
    load(MACHINE_AT),
    [EQUAL, 1, 0, audit],
    answer(failing(ERRNO.ENOSYS)),
    load(CALL_AT),
    // Calls of the x32 kind have the same numbers and this bit.
    ...when(AT_LEAST, 0x40000000, [answer(failing(ERRNO.ENOSYS))]),
    ...numbers(DENIED).flatMap(number => when(EQUAL, number, [answer(failing(ERRNO.EPERM))])),
    ...numbers(ABSENT).flatMap(number => when(EQUAL, number, [answer(failing(ERRNO.ENOSYS))])),
    ...when(EQUAL, socket, [
      load(argumentAt(0)),
      ...when(EQUAL, AF_INET, [answer(ALLOW)]),
      ...when(EQUAL, AF_INET6, [answer(ALLOW)]),
      // Of the kernel's own only the one that lists interfaces.
      ...when(EQUAL, AF_NETLINK, [load(argumentAt(2)), ...when(EQUAL, 0, [answer(ALLOW)])]),
      answer(failing(ERRNO.EAFNOSUPPORT)),
    ]),
    ...when(EQUAL, ioctl, [
      load(argumentAt(1)),
      ...when(EQUAL, TIOCSTI, [answer(failing(ERRNO.EPERM))]),
      ...when(EQUAL, TIOCLINUX, [answer(failing(ERRNO.EPERM))]),
      answer(ALLOW),
    ]),
    ...when(EQUAL, clone, [
      load(argumentAt(0)),
      ...when(ANY_BIT, NEW_NAMESPACES, [answer(failing(ERRNO.EPERM))]),
      answer(ALLOW),
    ]),
    answer(ALLOW),
  ]

  const filter = Buffer.alloc(8 * steps.length)
  for (const [i, [code, yes, no, value]] of steps.entries()) {
    filter.writeUInt16LE(code, 8 * i)
    filter.writeUInt8(yes, 8 * i + 2)
    filter.writeUInt8(no, 8 * i + 3)
    filter.writeUInt32LE(value >>> 0, 8 * i + 4)
  }
  return filter
}
