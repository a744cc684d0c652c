import type { TerminalState } from '../../contract/wire/terminal-frames.ts'

const HOLDERS = { person: 'you type', agent: 'an agent typed' } as const
const WAITS = {
  line: 'waits for a line',
  key: 'waits for keys',
  secret: 'asks for a password',
} as const

/** Who has the keyboard, and what the program waits for. */
export const WhoTypes = ({ terminal: { keyboard, wait_state = 'none', state } }: { terminal: TerminalState }) => (
  <>
    {wait_state !== 'none' && state === 'running' && (
      <span class="pill pill-open shrink-0" role="status" data-waits-for={wait_state}>
        {WAITS[wait_state]}
      </span>
    )}
    {keyboard !== undefined && state === 'running' && (
      <span class="pill pill-plain shrink-0" data-keyboard={keyboard}>
        {HOLDERS[keyboard]}
      </span>
    )}
  </>
)
