import type { Hazard, Operand, OptionModel } from '../model/option-model.ts'
import { options, type ToolModel, type ToolTable, tools } from '../model/tool-model.ts'
import { LOADS, runsInside, WRITES } from './project-code.ts'
import { insideOnly } from './project-paths.ts'

/**
 * Test runners and linters of Node. Closed, each with its own list: an option that nobody has looked at may load code, hand
 * options to Node or write a report (`npm run options` compares with their help texts). Capitals and dashes do not matter to
 * most of them.
 */
const OUTSIDE = /^[/~\\]|\.\.|^[A-Za-z]:[\\/]|^file:/
const COMMON = '--help -h --version -v -V --color --no-color --colors --no-colors --silent --verbose --quiet --watch'
const ASKED =
  '-c= --config= --root= --require= --import= --loader= --experimental-loader= --inspect? --inspect-brk? --node-option= --node-arguments= --node-arg='

const runner = (list: string, more: Partial<OptionModel> = {}): ToolModel =>
  options({
    spelling: 'loose',
    unlisted: 'closed',
    operands: testFiles,
    ...more,
    options: `${COMMON} ${list}`,
    hazards: { [ASKED]: LOADS, ...more.hazards },
  })

const testFiles = (operands: readonly Operand[]): Hazard[] => [
  ...runsInside(operands),
  ...operands
    .slice(0, 1)
    .filter(({ text }) =>
      /^(init|codegen|open|install|install-deps|uninstall|show-report|show-trace|debug|reset-cache|repl|clear-cache|merge-reports)$/.test(
        text,
      ),
    )
    .map(({ at }) => ({ at, why: 'installs, opens or writes something', kind: 'choice' as const })),
]

/** A reporter by its name, not by a file. */
const named = (of: string) => ({ of, bad: /^(?![a-z][a-z-]*$)/i, why: LOADS })
const plain = (of: string) => ({ of, bad: /[./\\]/, why: LOADS })
const inside = (of: string) => ({ of, bad: OUTSIDE, why: LOADS })

export const NODE_TEST_AND_LINT_TOOLS: ToolTable = {
  ...tools(
    'eslint',
    options({
      options:
        '--ext= --max-warnings= --format= -f= --cache --no-cache --cache-strategy= --no-eslintrc --eslintrc --env= --global= --ignore-pattern= --rule= --parser-options= --no-ignore --ignore --quiet --pass-on-no-patterns --pass-on-unpruned-suppressions --no-inline-config --inline-config --report-unused-disable-directives --report-unused-disable-directives-severity= --report-unused-inline-configs= --no-warn-ignored --warn-ignored --exit-on-fatal-error --no-error-on-unmatched-pattern --error-on-unmatched-pattern --color --no-color --debug --help -h --version -v --env-info --print-config= --stdin --stdin-filename= --fix-type= --fix-dry-run --no-fix --stats --concurrency= --config-lookup --no-config-lookup',
      hazards: {
        '-c= --config= --rulesdir= --parser= --plugin= --resolve-plugins-relative-to= --ignore-path= --flag= --inspect-config --init --mcp':
          LOADS,
        '--fix -o= --output-file= --cache-file= --cache-location= --suppress-all --suppress-rule= --suppressions-location= --prune-suppressions':
          WRITES,
      },
      values: [
        plain('-f --format'),
        { of: '--parser-options', bad: /^(?!(?:ecmaVersion|sourceType|ecmaFeatures\.\w+):\w+$)/, why: LOADS },
        // The configuration is looked for beside the file.
        inside('--print-config --stdin-filename'),
      ],
      unlisted: 'closed',
      operands: runsInside,
    }),
  ),
  ...tools(
    'prettier',
    options({
      options:
        '--check -c --list-different -l --ignore-path= --log-level= --loglevel= --parser= --tab-width= --print-width= --stdin-filepath= --arrow-parens= --bracket-same-line --no-bracket-spacing --embedded-language-formatting= --end-of-line= --experimental-operator-position= --experimental-ternaries --no-experimental-ternaries --html-whitespace-sensitivity= --jsx-single-quote --jsx-bracket-same-line --object-wrap= --prose-wrap= --quote-props= --no-semi --semi --single-attribute-per-line --single-quote --trailing-comma= --use-tabs --vue-indent-script-and-style --no-config --no-editorconfig --editorconfig --with-node-modules --cursor-offset= --range-end= --range-start= --check-ignore-pragma --no-color --color --no-error-on-unmatched-pattern --file-info= --help? -h? --ignore-unknown -u --insert-pragma --require-pragma --support-info --version -v --no-plugin-search --debug-check --no-cache',
      hazards: {
        '--write -w --cache-location= --cache --cache-strategy=': WRITES,
        '--plugin= --config= --plugin-search-dir= --find-config-path= --config-precedence=': LOADS,
      },
      // The configuration beside a file may be code.
      values: [plain('--parser'), inside('--stdin-filepath --file-info')],
      unlisted: 'closed',
      operands: insideOnly(LOADS),
    }),
  ),
  ...tools(
    'vitest',
    runner(
      '-w -t= --testNamePattern= --run --hideSkippedTests --reporter= --coverage --no-coverage --coverage.enabled --coverage.provider= --coverage.include= --coverage.exclude= --coverage.clean --coverage.reporter= --coverage.reportOnFailure --coverage.skipFull --coverage.all --coverage.changed? --coverage.thresholds.lines= --coverage.thresholds.functions= --coverage.thresholds.branches= --coverage.thresholds.statements= --coverage.thresholds.perFile --coverage.thresholds.100 --mode= --isolate --no-isolate --dom --pool= --poolOptions.threads.singleThread --poolOptions.threads.isolate --poolOptions.threads.maxThreads= --poolOptions.threads.minThreads= --poolOptions.forks.singleFork --poolOptions.forks.isolate --poolOptions.forks.maxForks= --poolOptions.forks.minForks= --fileParallelism --no-fileParallelism --no-file-parallelism --maxWorkers= --minWorkers= --threads --no-threads --singleThread --passWithNoTests --logHeapUsage --detectAsyncLeaks --allowOnly --dangerouslyIgnoreUnhandledErrors --shard= --changed? --sequence.shuffle? --sequence.shuffle.files --sequence.shuffle.tests --sequence.concurrent --sequence.seed= --sequence.hooks= --sequence.setupFiles= --testTimeout= --hookTimeout= --teardownTimeout= --bail= --retry= --retry.count= --retry.delay= --exclude= --expandSnapshotDiff --disableConsoleIntercept --typecheck --typecheck.enabled --typecheck.only --typecheck.ignoreSourceErrors --project= --slowTestThreshold= --maxConcurrency= --expect.requireAssertions --expect.poll.interval= --expect.poll.timeout= --printConsoleTrace --includeTaskLocation --no-clearScreen --clearScreen --no-cache --tagsFilter= --listTags --strictTags --json --filesOnly --expand-help --segfaultRetry= --related --globals --no-globals --no-open --no-watch --no-typecheck --no-browser --no-update',
      {
        hazards: {
          '-r= --dir= --ui --open --api? --browser? --environment= --execArgv= --vmMemoryLimit= --diff= --workspace= --globalSetup= --snapshotEnvironment= --configLoader= --setupFiles= --mergeReports? --typecheck.checker= --typecheck.tsconfig=':
            LOADS,
          '-u --update --outputFile= --coverage.reportsDirectory= --coverage.htmlDir= --attachmentsDir= --standalone --clearCache --cache? --init':
            WRITES,
        },
        values: [
          plain('--reporter --pool'),
          named('--coverage.reporter'),
          named('--coverage.provider'),
          inside('--project'),
        ],
      },
    ),
  ),
  ...tools(
    'jest',
    runner(
      '-i -b? -e -f -o -t= -w= --all --automock --bail? --cache --no-cache --changedFilesWithAncestor --changedSince= --ci --clearMocks --collectCoverage --collectCoverageFrom= --coverage --no-coverage --coverageReporters= --coverageThreshold= --coveragePathIgnorePatterns= --debug --detectLeaks --detectOpenHandles --openHandlesTimeout= --errorOnDeprecated --expand --findRelatedTests --forceExit --ignoreProjects= --injectGlobals --lastCommit --listTests --logHeapUsage --maxConcurrency= --maxWorkers= --moduleFileExtensions= --modulePathIgnorePatterns= --noStackTrace --onlyChanged --onlyFailures --passWithNoTests --randomize --reporters= --resetMocks --resetModules --restoreMocks --runInBand --runTestsByPath --seed= --selectProjects= --shard= --showConfig --showSeed --skipFilter --testLocationInResults --testMatch= --testNamePattern= --testPathIgnorePatterns= --testPathPattern= --testPathPatterns= --testRegex= --testTimeout= --transformIgnorePatterns= --unmockedModulePathPatterns= --useStderr --waitForUnhandledRejections --watchAll --watchPathIgnorePatterns= --watchman --no-watchman --workerIdleMemoryLimit= --workerThreads',
      {
        hazards: {
          '-u --updateSnapshot --outputFile= --coverageDirectory= --cacheDirectory= --clearCache --init --json': WRITES,
          '--env= --testEnvironment= --testEnvironmentOptions= --globals= --notify': LOADS,
        },
        values: [named('--reporters --coverageReporters')],
      },
    ),
  ),
  ...tools(
    'mocha',
    runner(
      '-A -b -C -f= -g= -i -j= -p -R= -s= -S -t= -w --allow-uncaught --async-only --bail --no-bail --check-leaks --delay --no-diff --dry-run --exit --no-exit --extension= --fail-zero --fgrep= --forbid-only --forbid-pending --full-trace --global= --grep= --ignore= --exclude= --inline-diffs --invert --jobs= --list-interfaces --list-reporters --no-timeout --no-timeouts --parallel --no-parallel --pass-on-failing-test-suite --posix-exit-codes --recursive --reporter= --retries= --slow= --sort --timeout= --timeouts= --watch-files= --watch-ignore= --no-package --fail-hook-affected-tests',
      {
        hazards: {
          '-n= -r= --file= --opts= --package= --spec= -u= --ui= --diff': LOADS,
          // `output=x` among them is a file.
          '-O= --reporter-option= --reporter-options=': WRITES,
        },
        values: [plain('-R --reporter')],
      },
    ),
  ),
  ...tools(
    'ava',
    runner(
      '-m= -s -t -T= -w --match= --serial --tap --timeout= --fail-fast --concurrency= --no-cache --no-worker-threads',
      { hazards: { '-u --update-snapshots --reset-cache': WRITES } },
    ),
  ),
  ...tools(
    'tap',
    runner(
      '-R= -b -B -j= -t= -g= -i -O -C --reporter= --bail --no-bail --jobs= --timeout= --no-timeout --disable-coverage --no-coverage --allow-incomplete-coverage --allow-empty-coverage --show-full-coverage --coverage-report= --no-coverage-report --cov --no-cov --100 --only --grep= --invert --comments --no-comments --no-check-coverage --check-coverage --fail-incomplete-coverage',
      { values: [plain('-R --reporter'), { of: '--coverage-report', bad: /^(?!text)/, why: WRITES }] },
    ),
  ),
  ...tools(
    'playwright',
    runner(
      '-g= -G= -j= -x --fail-on-flaky-tests --forbid-only --fully-parallel --global-timeout= --grep= --grep-invert= --headed --ignore-snapshots --workers= --last-failed --list --max-failures= --no-deps --only-changed? --pass-with-no-tests --project= --repeat-each= --reporter= --retries= --shard= --test-list= --test-list-invert= --timeout= --trace= --dry-run',
      {
        hazards: { '--browser= --debug? --ui? --ui-host= --ui-port= --tsconfig= --add-reporter=': LOADS },
        values: [named('--reporter'), inside('--project')],
      },
    ),
  ),
  ...tools(
    'cypress',
    runner(
      '-b= -P= -q -r= -t= --browser= --ci-build-id= --component --e2e --group= --headed --headless --no-exit --parallel --project= --reporter= --runner-ui --no-runner-ui --tag= --auto-cancel-after-failures= --posix-exit-codes',
      { values: [plain('-b --browser -r --reporter'), inside('-P --project')] },
    ),
  ),
  ...tools(
    'karma',
    runner(
      '--single-run --no-single-run --auto-watch --no-auto-watch --browsers= --log-level= --port= --fail-on-empty-test-suite --no-fail-on-empty-test-suite --grep= --capture-timeout= --report-slower-than= --reporters=',
      { values: [plain('--browsers --reporters')] },
    ),
  ),
}
