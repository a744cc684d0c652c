import { TermError } from '../../contract/tool/errors.ts'
import { programOn } from '../../runs/plan/program-on.ts'

export function neededProgram(
  path: string,
  what: { readonly command: string } | { readonly shell: string },
  cwd: string,
  platform: NodeJS.Platform,
): string {
  const name = 'shell' in what ? what.shell : what.command
  const found = programOn(path, name, cwd, platform)
  if (found !== null) return found
  throw new TermError(
    'PM_TERM_INVALID_PAYLOAD',
    'shell' in what
      ? `The shell ${name} is not on this machine. Choose another terminal_profile, or install it. Nothing ran.`
      : `There is no program ${name} on the PATH. Nothing ran.`,
  )
}
