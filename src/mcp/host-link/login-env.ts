import { execFile } from 'node:child_process'

/** Who the person is, from the user database: not from variables, which an agent's configuration can set. */
export interface Person {
  readonly username: string
  readonly homedir: string
  readonly shell: string | null
}

export interface LoginDeps {
  readonly person: Person
  readonly node: string
  readonly platform: NodeJS.Platform
  /** Only where there is no login shell to ask (Windows). */
  readonly ownEnv: Readonly<Record<string, string | undefined>>
}

const FROM_LOGIN = /^(PATH|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_[A-Z_]+|DBUS_SESSION_BUS_ADDRESS|LANG|LC_[A-Z]+)$/
const FROM_WINDOWS =
  /^(PATH|PATHEXT|SYSTEMROOT|SYSTEMDRIVE|COMSPEC|WINDIR|TEMP|TMP|USERPROFILE|APPDATA|LOCALAPPDATA|PROGRAMDATA|PROGRAMFILES.*)$/i
const PLAIN_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
const LOGIN_WITHIN_MS = 3000
const MARK = '--interactive-terminal-login--'

/**
 * The environment a launched host gets (docs/spec.md §4.5): the person's own, as their login shell makes it, and of that only what
 * finds programs and the screen. Nothing of the launcher's: MCP clients strip it, and an agent's configuration fills it.
 */
export async function loginEnv(deps: LoginDeps): Promise<Record<string, string>> {
  const { person, platform } = deps
  if (platform === 'win32') return pick(deps.ownEnv, FROM_WINDOWS)
  const known = {
    HOME: person.homedir,
    USER: person.username,
    LOGNAME: person.username,
    SHELL: person.shell ?? '/bin/sh',
  }
  const said = await askLoginShell(known, deps.node)
  return { PATH: PLAIN_PATH, ...pick(said, FROM_LOGIN), ...known }
}

/** What the login shell says its environment is; nothing when it says nothing in time. */
function askLoginShell(known: Readonly<Record<string, string>>, node: string): Promise<Record<string, string>> {
  const say = `process.stdout.write('${MARK}'+JSON.stringify(process.env)+'${MARK}')`
  const line = `${quoted(node)} -e ${quoted(say)}`
  const options = {
    cwd: '/',
    env: { ...known, PATH: PLAIN_PATH },
    timeout: LOGIN_WITHIN_MS,
    killSignal: 'SIGKILL',
  } as const
  return new Promise(resolve => {
    const shell = execFile(known.SHELL ?? '/bin/sh', ['-l', '-c', line], options, (_failed, stdout) => {
      // A profile may print whatever it likes before and after.
      const json = String(stdout).split(MARK)[1]
      try {
        resolve(JSON.parse(json ?? '{}') as Record<string, string>)
      } catch {
        resolve({})
      }
    })
    shell.stdin?.end()
  })
}

const quoted = (word: string): string => `'${word.replaceAll("'", `'"'"'`)}'`

function pick(env: Readonly<Record<string, string | undefined>>, names: RegExp): Record<string, string> {
  const picked: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) if (value !== undefined && names.test(name)) picked[name] = value
  return picked
}
