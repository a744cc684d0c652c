import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { type Opened, openCommand } from './mcp-client.ts'
import { type Place, PRODUCT } from './place.ts'

const UNSHARE = ['--pid', '--fork', '--kill-child', '--mount-proc', '--']

/** Whether a machine with no processes but those of a test can be had: whoever looks for desktops finds only the test's. */
export const hasOwnMachine = spawnSync('unshare', [...UNSHARE, 'true']).status === 0

/**
 * An agent on a machine of its own, whose client stripped the environment. `desktop`: there is a screen, and a program of the
 * person on it that leads a session, as the shell in a terminal window does. Where it is: `display` in the place.
 */
export function agentOnOwnMachine(place: Place, { desktop }: { readonly desktop: boolean }): Promise<Opened> {
  const display = join(place.root, 'display')
  const script = place.write(
    'machine.sh',
    `${desktop ? `Xvfb -displayfd 3 -screen 0 1280x900x24 -nolisten tcp 3>${display} 2>/dev/null &\nuntil [ -s ${display} ]; do sleep 0.05; done\nDISPLAY=":$(cat ${display})" setsid sleep 600 &\n` : ''}"$@"\n`,
    0o700,
  )
  const args = [...UNSHARE, 'sh', script, process.execPath, PRODUCT, 'mcp']
  return openCommand({ command: 'unshare', args, env: place.env() }, place, { place })
}
