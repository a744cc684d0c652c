import { delimiter, isAbsolute } from 'node:path'
import { neutralGitEnv } from '../../policy/git/neutral-git-env.ts'

/**
 * The environment a command starts with: what the server has, less what could change the meaning of a command or
 * belongs to us, plus what the request may add.
 */
const NEVER_INHERITED =
  /^(LD_.*|DYLD_.*|BASH_ENV|ENV|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|PS4|IFS|CDPATH|PWD|OLDPWD|POSIXLY_CORRECT|GLOBIGNORE|BASH_FUNC_.*|NODE_OPTIONS|NODE_PATH|NODE_REPL_EXTERNAL_MODULE|PYTHON.*|PERL5?(LIB|OPT|DB)|RUBY(OPT|LIB)|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|DOTNET_STARTUP_HOOKS|GCONV_PATH|LOCPATH|GLIBC_TUNABLES|OPENSSL_CONF|MAKEFLAGS|MAKEFILES|RUSTC_WRAPPER|ZDOTDIR|LUA_INIT.*|SSH_ASKPASS|RIPGREP_CONFIG_PATH|GREP_OPTIONS|AWKPATH|AWKLIBPATH|GIT_.*|.*PAGER|LESSOPEN|LESSCLOSE|EDITOR|VISUAL|BROWSER|PM_.*|TERMINAL_PORT|npm_.*|NPM_CONFIG_.*)$/i

/** Whether a variable may change what a command means, or is ours: never given on, whoever set it. */
export const isNeverGivenOn = (name: string): boolean => NEVER_INHERITED.test(name)

/**
 * An empty or relative place would find programs wherever a command happens to be. And what npx and npm put before all others,
 * the programs of the folder they were called in and of those above, nobody chose: a clone may bring its own bash along.
 */
const isOwnPlace = (place: string): boolean => isAbsolute(place) && !/[\\/]node_modules[\\/]\.bin[\\/]*$/.test(place)

/** What every command inherits; worked out once. */
export function inheritedEnv(env: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  const inherited: Record<string, string> = {}
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && !isNeverGivenOn(name)) inherited[name] = value
  if (inherited.PATH !== undefined) inherited.PATH = inherited.PATH.split(delimiter).filter(isOwnPlace).join(delimiter)
  // Without it cmd takes a program from where a command happens to be before it looks at the PATH.
  const isWindows = Object.keys(env).some(name => /^SystemRoot$/i.test(name))
  return Object.assign(inherited, neutralGitEnv(), isWindows ? { NoDefaultCurrentDirectoryInExePath: '1' } : {})
}

/** For what a person approved: their own git again, hooks and all. Pagers stay off, because nobody may be there to scroll. */
export function withOwnGit(inherited: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const env = { ...inherited }
  for (const name of Object.keys(neutralGitEnv())) if (!name.endsWith('PAGER')) delete env[name]
  return env
}

/** `marks`: NAME=value entries that are in the environment of the whole tree, so that nothing of it is lost from sight. */
export function runEnv(
  inherited: Readonly<Record<string, string>>,
  requested: Readonly<Record<string, string>>,
  marks: readonly string[],
): Record<string, string> {
  const env = { ...inherited, ...requested }
  for (const mark of marks) env[mark.slice(0, mark.indexOf('='))] = mark.slice(mark.indexOf('=') + 1)
  return env
}
