import { TermError } from '../../contract/tool/errors.ts'

/** Why something is not typed into a program for an agent. Each says so in the same words: nothing was typed. */
const notTyped = (reason: string, why: string): TermError =>
  new TermError('PM_TERM_INVALID_MODE', `${why} Nothing was typed.`, { details: { reason } })

export const nothingRuns = (): TermError =>
  notTyped('nothing_runs', 'Nothing runs in this terminal that could read it: send a command instead.')
export const notRunning = (id: string, state: string): TermError =>
  notTyped('not_running', `${id} does not run (${state}).`)
export const noTerminal = (id: string): TermError =>
  notTyped('no_terminal', `${id} is a headless command and has no keyboard.`)
export const ownShell = (): TermError =>
  notTyped('own_shell', "This is the person's own shell: send it a command with its terminal_id.")
export const personTypes = (): TermError =>
  notTyped('person_typing', 'The person is typing in this terminal, and goes first. Try again in some seconds.')
export const secretPrompt = (): TermError =>
  notTyped('secret_prompt', 'The program asks for a secret, which only the person types. They were told.')
export const movedOn = (now: string): TermError =>
  notTyped('moved_on', `The program is not where it was when this was approved: ${now}`)
export const typedBefore = (id: string): TermError =>
  notTyped('typed_before', `${id} was typed before, and is not typed again.`)
