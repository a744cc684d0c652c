export interface Protection {
  readonly level: 'L0' | 'L1'
  /** What is kept from a command that was approved. */
  readonly detail: string
  /** What such a command can still do to answer for the person, because it runs as them. */
  readonly not_stopped: readonly string[]
}

/** What keeps a run from approving a run on this machine (SECURITY.md): said as it is, where it is shown. */
export const protectionOn = (platform: NodeJS.Platform, inContainer: boolean): Protection =>
  inContainer ? withNeighbours(onMachine(platform)) : onMachine(platform)

const onMachine = (platform: NodeJS.Platform): Protection =>
  platform === 'linux'
    ? {
        level: 'L1',
        detail:
          'a command that you approved cannot answer the next question through this program: not by its files, keys, tickets, listeners or commands',
        not_stopped: LEFT,
      }
    : {
        level: 'L0',
        detail:
          'those who answer have a listener and keys of their own; which program connects cannot be seen on this system',
        not_stopped: [...LEFT, 'use a ticket for the window before the browser it was made for'],
      }

/** The same for everybody: whatever runs as you may do this to any of your programs. SECURITY.md has the long form. */
const LEFT = [
  'attach a debugger to the host or its browser, or read their memory',
  'take pictures of your screen and press keys in your windows, where the desktop lets programs do that (X11 does)',
  'change what starts with your shell, your desktop or this program, for the next time',
]

const withNeighbours = (protection: Protection): Protection => ({
  ...protection,
  detail: `host in a container: everything in this container can reach it; ${protection.detail}`,
})
