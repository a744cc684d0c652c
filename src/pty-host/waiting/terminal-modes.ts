import { execFile } from 'node:child_process'

/** How a terminal is set: canonical: it hands on whole lines · echo: it shows what is typed. */
export interface TerminalModes {
  readonly canonical: boolean
  readonly echo: boolean
}

/** Of a terminal whose owner was asked: which group of processes is in its foreground as well; 0: not known. */
export interface OwnModes extends TerminalModes {
  readonly foreground: number
}

const WITHIN_MS = 2000

/** Node cannot ask for them, so a small program does. Null: it is not there, or the terminal is gone. */
export function terminalModes(tty: string, platform: NodeJS.Platform): Promise<TerminalModes | null> {
  const flag = platform === 'linux' ? '-F' : '-f'
  const options = { env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' }, timeout: WITHIN_MS }
  return new Promise(resolve =>
    execFile('stty', [flag, tty, '-a'], options, (failure, text) => resolve(failure ? null : modesIn(text))),
  )
}

/** A word with a minus before it is switched off. */
export function modesIn(text: string): TerminalModes | null {
  const words = new Set(text.split(/[\s;]+/))
  const isOn = (name: string) => (words.has(name) ? true : words.has(`-${name}`) ? false : null)
  const [canonical, echo] = [isOn('icanon'), isOn('echo')]
  return canonical === null || echo === null ? null : { canonical, echo }
}
