/** What a command does that stays in the project it runs in, or with what the person runs on this machine. */
export const NEAR = ['downloads', 'deletes', 'writes', 'project_code', 'running_programs'] as const
/** Whom and what it reaches beyond that. */
export const FAR = [
  'root',
  'whole_machine',
  'another_machine',
  'infrastructure',
  'shared_data',
  'everybody',
  'outside_project',
  'secrets',
] as const

export const isBeyondProject = ({ what }: { readonly what: string }): boolean =>
  (FAR as readonly string[]).includes(what)

/** The reason that says nothing but that there is none against it and none for it. */
export const NO_RULE = 'no rule covers it'

/** What a verdict means, before its reason. */
export const VERDICT_TITLES = {
  auto: 'Runs unasked',
  try: 'Tried in the sandbox',
  approval: 'Needs approval',
  blocked: 'Blocked',
  destructive: 'Blocked for everybody',
} as const
