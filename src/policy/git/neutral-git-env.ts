/**
 * Environment for git commands that run unasked: nothing the repository or its configuration names gets started.
 * What git offers no switch for (drivers, filters, helpers in `.git/config`) is checked by git-config.ts.
 */
const CONFIG: readonly (readonly [string, string])[] = [
  ['core.pager', 'cat'],
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.editor', 'false'],
  ['sequence.editor', 'false'],
  ['core.askPass', ''],
  ['core.sshCommand', 'ssh'],
  ['core.alternateRefsCommand', ''],
  ['log.showSignature', 'false'],
  ['commit.gpgSign', 'false'],
  ['tag.gpgSign', 'false'],
  ['protocol.ext.allow', 'never'],
  ['submodule.recurse', 'false'],
  ['diff.ignoreSubmodules', 'all'],
  // A directory that looks like a repository is none unless somebody says so.
  ['safe.bareRepository', 'explicit'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
]

export function neutralGitEnv(): Readonly<Record<string, string>> {
  const settings = CONFIG.flatMap(([key, value], i) => [
    [`GIT_CONFIG_KEY_${i}`, key] as const,
    [`GIT_CONFIG_VALUE_${i}`, value] as const,
  ])
  return {
    GIT_PAGER: 'cat',
    PAGER: 'cat',
    GIT_EDITOR: 'false',
    GIT_SEQUENCE_EDITOR: 'false',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_CONFIG_COUNT: String(CONFIG.length),
    ...Object.fromEntries(settings),
  }
}
