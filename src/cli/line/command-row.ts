export interface CommandOption {
  readonly name: string
  /** What follows it; null: nothing does. */
  readonly value: string | null
  readonly sentence: string
}

export interface CommandRow {
  readonly name: string
  /** Operands as help shows them. */
  readonly operands: string
  readonly mostOperands: number
  readonly sentence: string
  readonly group: keyof typeof GROUPS
  readonly options: readonly CommandOption[]
  /** What its first operand may be. */
  readonly verbs?: readonly string[]
  /** What a shell completes for its first operand, where it takes others as well. */
  readonly choices?: readonly string[]
  /** Without operands and options of its own it only shows its help. */
  readonly bareIsHelp?: true
  /** More lines for the command's own help. */
  readonly more?: string
}

export const GROUPS = {
  use: 'Use it',
  rules: 'What may run without approval',
  look: 'Look back and find faults',
  containers: 'Containers',
  shell: 'For your shell',
} as const
