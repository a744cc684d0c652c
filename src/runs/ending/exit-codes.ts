/** What the documentation of a program says its exit code means. Only what is certain: a code that may mean several things is not here. */
export interface ExitCodeRow {
  readonly codes: Readonly<Record<number, string>>
  /** Counts only for this command of the program, as `git diff`. */
  readonly sub?: readonly string[]
  /** Counts only with one of these words, or only without them. */
  readonly with?: readonly string[]
  readonly without?: readonly string[]
}

const NO_MATCH = 'no line matched'
const DIFFER = 'there are differences'
const NOT_RUN = { 126: 'the command was found but could not be run', 127: 'the command was not found' } as const

const GREP: readonly ExitCodeRow[] = [
  { codes: { 1: 'no line was selected' }, with: ['-v', '--invert-match'], without: ['-L', '--files-without-match'] },
  { codes: { 1: NO_MATCH }, without: ['-L', '--files-without-match'] },
  { codes: { 2: 'an error: a file could not be read, or the pattern is wrong' } },
]

const NONE_MATCHED: readonly ExitCodeRow[] = [{ codes: { 1: 'no process matched' } }]

/** The first row that has the code counts. */
export const EXIT_CODES: Readonly<Record<string, readonly ExitCodeRow[]>> = {
  grep: GREP,
  egrep: GREP,
  fgrep: GREP,
  zgrep: GREP,
  rg: [{ codes: { 1: NO_MATCH, 2: 'an error: a file could not be read, or the pattern is wrong' } }],
  ag: [{ codes: { 1: NO_MATCH } }],
  diff: [{ codes: { 1: DIFFER, 2: 'an error: the files could not be compared' } }],
  cmp: [{ codes: { 1: DIFFER, 2: 'an error: the files could not be compared' } }],
  test: [{ codes: { 1: 'the condition is false', 2: 'the condition is not written correctly' } }],
  '[': [{ codes: { 1: 'the condition is false', 2: 'the condition is not written correctly' } }],
  expr: [{ codes: { 1: 'the result is empty or 0', 2: 'the expression is not valid' } }],
  ls: [{ codes: { 1: 'something below could not be read', 2: 'a named file or directory could not be read' } }],
  find: [{ codes: { 1: 'not everything could be searched' } }],
  sort: [{ codes: { 1: 'the input is not sorted' }, with: ['-c', '-C', '--check'] }, { codes: { 2: 'an error' } }],
  tar: [{ codes: { 1: 'some files differ or changed while they were read', 2: 'a fatal error' } }],
  which: [{ codes: { 1: 'not every name was found' } }],
  command: [{ codes: { 1: 'not found', 127: 'not found' }, with: ['-v', '-V'] }],
  type: [{ codes: { 1: 'not found' } }],
  sha256sum: [{ codes: { 1: 'a file does not match its checksum' }, with: ['-c', '--check'] }],
  md5sum: [{ codes: { 1: 'a file does not match its checksum' }, with: ['-c', '--check'] }],

  pgrep: NONE_MATCHED,
  pkill: NONE_MATCHED,
  pidof: NONE_MATCHED,
  lsof: [{ codes: { 1: 'nothing was found, or an error' } }],
  flock: [{ codes: { 1: 'somebody else holds the lock' }, with: ['-n', '--nonblock', '-w', '--timeout'] }],
  systemctl: [
    { codes: { 3: 'the unit is not active', 4: 'there is no such unit' }, sub: ['is-active', 'status'] },
    { codes: { 1: 'the unit is not enabled' }, sub: ['is-enabled'] },
  ],
  getent: [{ codes: { 2: 'there is no such entry' } }],

  timeout: [
    { codes: { 124: 'the time was up', 125: 'timeout itself failed', 137: 'killed by SIGKILL: the time was up' } },
    { codes: NOT_RUN },
  ],
  xargs: [
    { codes: { 123: 'a command that it ran failed', 124: 'a command that it ran ended with 255' } },
    { codes: { 125: 'a command that it ran was killed by a signal', ...NOT_RUN } },
  ],
  env: [{ codes: { 125: 'env itself failed', ...NOT_RUN } }],
  nohup: [{ codes: { 125: 'nohup itself failed', ...NOT_RUN } }],
  nice: [{ codes: { 125: 'nice itself failed', ...NOT_RUN } }],
  sh: [{ codes: NOT_RUN }],
  bash: [{ codes: NOT_RUN }],
  zsh: [{ codes: NOT_RUN }],
  docker: [
    { codes: { 125: 'docker itself failed' }, sub: ['run'] },
    { codes: NOT_RUN, sub: ['run', 'exec'] },
  ],
  podman: [
    { codes: { 125: 'podman itself failed' }, sub: ['run', 'exec'] },
    { codes: NOT_RUN, sub: ['run', 'exec'] },
  ],

  git: [
    { codes: { 1: DIFFER }, sub: ['diff'] },
    { codes: { 1: NO_MATCH }, sub: ['grep'] },
    { codes: { 1: 'it is not an ancestor' }, sub: ['merge-base'], with: ['--is-ancestor'] },
    { codes: { 1: 'there is no such setting' }, sub: ['config'], with: ['--get', '--get-all'] },
    { codes: { 1: 'no path is ignored' }, sub: ['check-ignore'] },
    { codes: { 128: 'git gave up with a fatal error', 129: 'the options are wrong' } },
  ],
  ssh: [
    { codes: { 255: 'ssh itself failed: no connection, or access denied (or the remote command ended with 255)' } },
  ],
  rsync: [
    {
      codes: {
        1: 'the options are wrong',
        3: 'files or directories could not be selected',
        5: 'the connection could not be set up',
        10: 'a network error',
        11: 'a file could not be read or written',
        12: 'the connection broke, or the other side has no rsync',
        23: 'some files were not transferred',
        24: 'some files vanished before they were transferred',
        30: 'the time for sending or receiving was up',
        35: 'the time for connecting was up',
        255: 'ssh itself failed: no connection, or access denied',
      },
    },
  ],
  curl: [
    {
      codes: {
        1: 'this protocol is not supported',
        3: 'the URL is not valid',
        5: 'the proxy was not found by name',
        6: 'the host was not found by name',
        7: 'no connection to the host',
        9: 'access denied',
        18: 'the answer broke off',
        22: 'the server answered with an HTTP error (400 or above)',
        23: 'the answer could not be written',
        26: 'what was to be sent could not be read',
        28: 'the time was up',
        35: 'the TLS handshake failed',
        47: 'too many redirects',
        52: 'the server sent nothing',
        55: 'sending failed',
        56: 'receiving failed',
        58: 'the client certificate does not work',
        60: 'the certificate of the server is not trusted',
        67: 'the login was refused',
        78: 'there is no such file on the server',
      },
    },
  ],
  wget: [
    {
      codes: {
        1: 'an error',
        2: 'the options are wrong',
        3: 'a file could not be written or read',
        4: 'a network error',
        5: 'the certificate of the server is not trusted',
        6: 'the login was refused',
        7: 'a protocol error',
        8: 'the server answered with an error',
      },
    },
  ],
  ping: [{ codes: { 1: 'no answer came', 2: 'an error: the name or the options' } }],

  pytest: [
    {
      codes: {
        1: 'some tests failed',
        2: 'the tests were interrupted',
        3: 'pytest itself failed',
        4: 'the options are wrong',
        5: 'no tests were found',
      },
    },
  ],
  tsc: [{ codes: { 1: 'there are type errors; nothing was written', 2: 'there are type errors' } }],
  eslint: [{ codes: { 1: 'there are lint errors', 2: 'eslint itself failed, or its configuration is wrong' } }],
  mypy: [{ codes: { 1: 'there are type errors', 2: 'mypy itself failed, or the options are wrong' } }],
  ruff: [{ codes: { 1: 'there are findings', 2: 'ruff itself failed, or its configuration is wrong' } }],
  black: [{ codes: { 1: 'some files would be reformatted' }, with: ['--check'] }, { codes: { 123: 'an error' } }],
  prettier: [
    { codes: { 1: 'some files are not formatted' }, with: ['--check', '-c', '-l', '--list-different'] },
    { codes: { 2: 'prettier itself failed' } },
  ],
  shellcheck: [
    {
      codes: {
        1: 'there are findings',
        2: 'some files could not be read',
        3: 'the options are wrong',
        4: 'the options are wrong',
      },
    },
  ],
  cargo: [{ codes: { 101: 'the build or a test failed' } }],
  make: [
    { codes: { 1: 'the target is not up to date' }, with: ['-q', '--question'] },
    { codes: { 2: 'a recipe failed, or the makefile has an error' } },
  ],
  npm: [
    { codes: { 1: 'some packages are outdated' }, sub: ['outdated'] },
    { codes: { 1: 'vulnerabilities were found' }, sub: ['audit'] },
  ],
  terraform: [{ codes: { 2: 'there are changes to make' }, with: ['-detailed-exitcode'] }],
  kubectl: [{ codes: { 1: DIFFER }, sub: ['diff'] }],
  jq: [
    { codes: { 1: 'the last result is false or null', 4: 'there is no result' }, with: ['-e', '--exit-status'] },
    {
      codes: {
        2: 'the options or the input are wrong',
        3: 'the program for jq is wrong',
        5: 'the program for jq failed',
      },
    },
  ],
}
