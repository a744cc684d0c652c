export interface Protection {
  readonly level: 'L0' | 'L1'
  readonly detail: string
}

/** What keeps a run from approving a run on this machine (SECURITY): said as it is, where it is shown. */
export const protectionOn = (platform: NodeJS.Platform): Protection =>
  platform === 'linux'
    ? {
        level: 'L1',
        detail: 'separate listener and key, and connections from inside a run are refused where they can be seen',
      }
    : { level: 'L0', detail: 'separate listener and key; which program connects cannot be seen on this system' }
