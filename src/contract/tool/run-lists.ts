import * as z from 'zod'

/** Where a run can stand, and how lists of runs, terminals and rules are answered. */

export const ENDED_STATES = [
  ...(['exited', 'killed', 'timed_out', 'lost'] as const),
  ...(['blocked', 'declined', 'expired', 'withdrawn', 'failed'] as const),
] as const
export const RUN_STATES = ['received', 'awaiting_approval', 'running', ...ENDED_STATES] as const

export const StateName = z.enum(RUN_STATES)

export const ListItem = z.object({
  session_id: z.string(),
  terminal_id: z.string().nullable(),
  adapter: z.string().describe('Who owns it: headless_process, host_bridge_local, container_bridge_to_host.'),
  owner: z.string().describe('this_server, another_server or earlier_server.'),
  visibility: z.enum(['visible', 'background', 'hidden']),
  state: StateName,
  running: z.boolean(),
  command: z.string(),
  cwd: z.string(),
  workspace_id: z.string().nullable(),
  started_at: z.string().nullable(),
  ended_at: z.string().nullable(),
  exit_code: z.int().nullable(),
  output_bytes: z.int(),
  survivors: z.array(z.int()).optional().describe('Processes an interrupted server left running. kill ends them.'),
})
export type ListItem = z.infer<typeof ListItem>

/** The same for a caller, who pays for every byte of it: what is null, usual or said by another field is not sent. */
export const ListedRun = z.object({
  session_id: z.string(),
  terminal_id: z.string().optional(),
  adapter: z.string().optional().describe('Absent: headless_process.'),
  owner: z.string().optional().describe('another_server or earlier_server; absent: this one.'),
  state: StateName,
  exit_code: z.int().optional(),
  command: z.string(),
  cwd: z.string().optional().describe('Absent: the cwd of the whole list.'),
  workspace_id: z.string().optional(),
  started_at: z.string().optional(),
  output_bytes: z.int().optional(),
  survivors: ListItem.shape.survivors,
})
export type ListedRun = z.infer<typeof ListedRun>

export const ListedPattern = z.object({
  pattern: z.string(),
  source: z.string(),
  active: z.boolean(),
  why: z.string(),
  also: z.array(z.string()).optional().describe('More defaults of which the same is true.'),
  more: z.int().optional().describe('So many more of them are not listed.'),
})
export type ListedPattern = z.infer<typeof ListedPattern>

export const TerminalItem = z.object({
  terminal_id: z.string(),
  name: z.string().optional(),
  /** runs: each command is a process of its own · shell: the person's own shell, into which `send` types */
  kind: z.enum(['runs', 'shell']).optional(),
  workspace_id: z.string().nullable(),
  profile: z.string(),
  cwd: z.string(),
  is_default: z.boolean(),
  /** The run in it, and those that wait. */
  busy_with: z.string().nullable(),
  waiting: z.array(z.string()),
})
export type TerminalItem = z.infer<typeof TerminalItem>
