/**
 * The environment a command starts with: what the server has, less what could change the meaning of a command or
 * belongs to us, plus what the request may add.
 */
const NEVER_INHERITED =
  /^(LD_.*|DYLD_.*|BASH_ENV|ENV|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|PS4|IFS|CDPATH|GLOBIGNORE|BASH_FUNC_.*|NODE_OPTIONS|NODE_PATH|NODE_REPL_EXTERNAL_MODULE|PYTHON.*|PERL5?(LIB|OPT|DB)|RUBY(OPT|LIB)|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|GIT_.*|.*PAGER|LESSOPEN|LESSCLOSE|EDITOR|VISUAL|BROWSER|PM_.*|TERMINAL_PORT|npm_.*|NPM_CONFIG_.*)$/i

/** What every command inherits; worked out once. */
export function inheritedEnv(env: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  const inherited: Record<string, string> = {}
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && !NEVER_INHERITED.test(name)) inherited[name] = value
  return Object.assign(inherited, NEUTRAL_GIT)
}

/** For what a person approved: their own git again, hooks and all. Pagers stay off, because nobody may be there to scroll. */
export function withOwnGit(inherited: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const env = { ...inherited }
  for (const name of Object.keys(NEUTRAL_GIT)) if (!name.endsWith('PAGER')) delete env[name]
  return env
}

/** `marks`: NAME=value entries that stand in the environment of the whole tree, so that nothing of it is lost from sight. */
export function runEnv(
  inherited: Readonly<Record<string, string>>,
  requested: Readonly<Record<string, string>>,
  marks: readonly string[],
): Record<string, string> {
  const env = { ...inherited, ...requested }
  for (const mark of marks) env[mark.slice(0, mark.indexOf('='))] = mark.slice(mark.indexOf('=') + 1)
  return env
}

/** Settings for git that nobody approved one by one: nothing a repository brings along may start a program. */
const NEUTRAL_GIT_CONFIG: readonly (readonly [string, string])[] = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.pager', 'cat'],
  ['core.editor', 'false'],
  ['core.sshCommand', 'ssh -oBatchMode=yes'],
  ['protocol.ext.allow', 'never'],
]

const NEUTRAL_GIT: Readonly<Record<string, string>> = {
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_CONFIG_COUNT: String(NEUTRAL_GIT_CONFIG.length),
  ...Object.fromEntries(
    NEUTRAL_GIT_CONFIG.flatMap(([key, value], i) => [
      [`GIT_CONFIG_KEY_${i}`, key],
      [`GIT_CONFIG_VALUE_${i}`, value],
    ]),
  ),
}
