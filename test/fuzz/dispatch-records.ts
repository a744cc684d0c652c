/** What a real bash did with one line (see record-dispatch.bash for the records it is made from). */
export interface Dispatch {
  /** The words each program or built-in got. */
  readonly argvs: readonly (readonly string[])[]
  /** The simple commands bash was about to run, as it prints them: also what no recorder can see. */
  readonly commands: readonly string[]
  readonly files: string | null
  readonly complaint: string | null
  /** False when the shell itself ended or hung. */
  readonly finished: boolean
}

type Draft = {
  argvs: string[][]
  commands: string[]
  files: string | null
  complaint: string | null
  finished: boolean
}

// The driver's own two commands around each line fire the same trap.
const DRIVER_COMMANDS = new Set(['builtin eval "$fz_line" 2> /rec/complaints', 'fz_on=0'])

/** One dispatch per line that was begun, in order; lines never begun are left out. */
export function readDispatches(output: string, lineCount: number): Dispatch[] {
  const fields = output.split('\0')
  const drafts: Draft[] = []
  const draft = (n: string): Draft => drafts[Number(n)] ?? nothing()
  let ended = false
  let at = 0
  const take = (): string => (fields[at++] ?? '').replaceAll('\x1e', '\n')
  while (at < fields.length - 1) {
    const kind = take()
    const n = take()
    if (kind === 'L') {
      for (const one of drafts) one.finished = true
      drafts.push(nothing())
    } else if (kind === 'D') {
      const command = take()
      if (!DRIVER_COMMANDS.has(command)) draft(n).commands.push(command)
    } else if (kind === 'A') {
      const count = Number(take())
      draft(n).argvs.push(Array.from({ length: count }, take))
    } else if (kind === 'E') draft(n).complaint = take()
    else if (kind === 'F') draft(n).files = take()
    else if (kind === 'Z') ended = true
    else throw new Error(`the recorder said ${JSON.stringify(kind)}`)
  }
  for (const one of ended ? drafts : drafts.slice(0, -1)) one.finished = true
  if (drafts.length === 0 && lineCount > 0) return [nothing()]
  return drafts
}

const nothing = (): Draft => ({ argvs: [], commands: [], files: null, complaint: null, finished: false })
