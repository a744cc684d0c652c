import type { Hazard, Operand } from '../model/option-model.ts'
import { harmless, nothingButHelp, options, type ToolTable, tools } from '../model/tool-model.ts'
import { NODE_TEST_AND_LINT_TOOLS } from './node-test-and-lint-tools.ts'
import { LOADS, runsInside, WRITES } from './project-code.ts'
import { insideOnly } from './project-paths.ts'

/** What stands behind `--` goes to the project's own test command, which may load code by an option or a file. */
const handedOn = (operands: readonly Operand[]): Hazard[] => [
  ...runsInside(operands),
  ...operands
    .filter(({ text }) => text.startsWith('-') && !/^-(?:[xvqs]+|k|m)$/.test(text))
    .map(({ at }) => ({ at, why: LOADS })),
]

const firstIs = (operands: readonly Operand[], verbs: RegExp): Hazard[] =>
  operands
    .slice(0, 1)
    .filter(({ text }) => verbs.test(text))
    .map(({ at }) => ({ at, why: 'installs, opens or writes something', kind: 'choice' as const }))

/** Test runners, linters and formatters. They run the project's own code; their options must not bring in other code. */
export const TEST_AND_LINT_TOOLS: ToolTable = {
  ...tools(
    'biome',
    options({
      hazards: {
        '--write --fix --apply --apply-unsafe --unsafe --suppress': WRITES,
        '--config-path= --vcs-root= --reporter-file= --log-file= --log-path= --log-prefix-name= --use-server --stop-on-disconnect':
          LOADS,
      },
      unlisted: 'open',
      operands: operands => [
        ...runsInside(operands),
        ...firstIs(operands, /^(?:init|start|stop|lsp-proxy|clean|upgrade|migrate)$/),
      ],
    }),
  ),
  ...tools('gofmt', options({ options: '-l -d -e -s', unlisted: 'closed', dashes: 'words', operands: runsInside })),
  ...tools(
    'ctest',
    options({
      options:
        '-V -VV -Q -N -j= -R= -E= -L= -C= -I= --output-on-failure --parallel= --verbose --tests-regex= --build-config= --timeout= --rerun-failed --stop-on-failure --show-only --help --version',
      unlisted: 'closed',
      dashes: 'words',
      operands: runsInside,
    }),
  ),
  ...NODE_TEST_AND_LINT_TOOLS,
  ...tools('nyc c8', nothingButHelp('runs another program')),
  ...tools(
    'pytest py.test',
    options({
      options:
        '--co --collect-only --collectonly -p= -k: -m: -n= --maxfail= --tb= --durations= --durations-min= --cov= --color= -r= --timeout= --timeout-method= --session-timeout= --dist= --ignore= --ignore-glob= --deselect= --cov-report= -W= --numprocesses= --maxprocesses= --max-worker-restart= --cov-branch --cov-append --cov-fail-under= --cov-context= --no-cov --no-cov-on-fail --cov-reset --lf --ff --sw --last-failed --failed-first --nf --new-first --stepwise --stepwise-skip --sw-skip --stepwise-reset --last-failed-no-failures= --lfnf= --cache-show? -x -v -vv -q -s -l -h -V -d -f --exitfirst --verbose --verbosity= --quiet --capture= --runxfail --showlocals --no-showlocals --no-summary --no-header --no-fold-skipped --show-capture= --force-short-summary --code-highlight= --disable-warnings --disable-pytest-warnings --strict --strict-markers --strict-config --full-trace --xfail-tb --markers --fixtures --funcargs --fixtures-per-test --version --help --report-chars= --junit-prefix= --junitprefix= --continue-on-collection-errors --collect-in-virtualenv --keep-duplicates --doctest-modules --doctest-report= --doctest-glob= --doctest-ignore-import-errors --doctest-continue-on-failure --disable-plugin-autoload --setup-only --setup-show --setup-plan --setuponly --setupshow --setupplan --assert= --log-level= --log-format= --log-date-format= --log-cli-level= --log-cli-format= --log-cli-date-format= --log-disable= --log-auto-indent= --log-file-level= --log-file-mode= --log-file-format= --log-file-date-format= --looponfail --loadscope-reorder --no-loadscope-reorder --reruns= --reruns-delay= --only-rerun= --rerun-except= --randomly-seed= --randomly-dont-reorganize --random-order --random-order-seed= --random-order-bucket= --asyncio-mode= --benchmark-only --benchmark-skip --benchmark-disable --benchmark-enable --benchmark-sort= --benchmark-columns= --benchmark-group-by= --benchmark-min-rounds= --benchmark-warmup= --benchmark-compare? --hypothesis-seed= --hypothesis-profile= --hypothesis-show-statistics --hypothesis-verbosity= --count= --repeat-scope= --forked --boxed --picked? --testmon --instafail --reuse-db --create-db --nomigrations --no-migrations --migrations --ds= --fail-on-flaky --run-slow --runslow --slow --integration --e2e --headed --browser= --slowmo= --trace-config --no-success-flaky-report --flake-finder --flake-runs= --snapshot-details --snapshot-warn-unused --allow-hosts= --disable-socket --block-network --pylint --mypy --ruff --black --isort --flake8',
      hazards: {
        '--alluredir= --benchmark-histogram? --benchmark-cprofile-dump? --durations-path= --store-durations --output= --force-regen --regen-all --testmon-nocollect':
          WRITES,
        '-c= --config-file= --rootdir= --confcutdir= --pdbcls= --pdb --trace -o= --override-ini= --import-mode= --pyargs --cov-config= --tx= --px= --rsyncdir= --noconftest --pythonwarnings= -P':
          LOADS,
        '--basetemp= --junitxml= --junit-xml= --log-file= --resultlog= --report-log= --html= --debug? --pastebin= --snapshot-update --cache-clear --json-report-file= --profile-svg --benchmark-json= --benchmark-save= --benchmark-autosave --benchmark-storage= --inline-snapshot=':
          WRITES,
      },
      values: [
        { of: '--cov-report', bad: /^(?!term)/, why: WRITES },
        { of: '-p', bad: /^(?!no:[\w.-]+$)/, why: LOADS },
      ],
      unlisted: 'closed',
      operands: runsInside,
    }),
  ),
  ...tools(
    'ruff',
    options({
      hazards: {
        '--fix --unsafe-fixes -o= --output-file= --add-noqa? --add-ignore? --cache-dir= --fix-only': WRITES,
        '--config=': LOADS,
      },
      unlisted: 'open',
      // `ruff format` without `--check` rewrites files.
      operands: (operands, seen) => [
        ...runsInside(operands),
        ...(operands[0]?.text === 'format' && (seen.has('--check') || seen.has('--diff'))
          ? []
          : firstIs(operands, /^(?:format|clean|server)$/)),
      ],
      options: '--check --diff --select= --ignore= --output-format= --target-version= --line-length=',
    }),
  ),
  ...tools(
    'mypy pyright pylint flake8 bandit black isort',
    options({
      hazards: {
        '--config-file= --python-executable= --rcfile= --init-hook= --load-plugins= --plugins= --config= --custom-typeshed-dir= --shadow-file= --settings-path= --settings-file= --settings= --sp= --config-root= --resolve-all-configs --formatter= --require-plugins= --append-config= --pythonpath= --project= --typeshedpath= --venvpath=':
          LOADS,
        '--install-types --cache-dir= --html-report= --xml-report= --txt-report= --junit-xml= --any-exprs-report= --linecount-report= --cobertura-xml-report= --output-file= -o= --writebaseline --createstub= --memory-xml-report= --in-place --lineprecision-report= --linecoverage-report= --any-exprs-report= --xslt-html-report= --xslt-txt-report= --junit-format= --output= --import-graph= --ext-import-graph= --int-import-graph=':
          WRITES,
      },
      // pylint takes a class or `json:file` for a format.
      values: [{ of: '-f --output-format', bad: /[:./\\]/, why: 'loads code or writes a file' }],
      options: '-f= --output-format=',
      unlisted: 'open',
      operands: runsInside,
    }),
  ),
  ...tools(
    'unittest',
    options({
      options: '-s= -t= -p= -k: --start-directory= --top-level-directory= --pattern=',
      values: [{ of: '-s -t --start-directory --top-level-directory', bad: /^[/~]|\.\./, why: LOADS }],
      unlisted: 'open',
      operands: runsInside,
    }),
  ),
  ...tools(
    'json.tool',
    options(
      {
        options: '--indent=',
        unlisted: 'open',
        operands: operands => operands.slice(1).map(({ at }) => ({ at, why: WRITES })),
      },
      'nowhere',
    ),
  ),
  ...tools(
    'rspec',
    options({
      options:
        '-f= -e= -E= -t= -P= -b -c -n -p? -w -h -v --format= --example= --example-matches= --tag= --pattern= --exclude-pattern= --order= --seed= --fail-fast? --no-fail-fast --next-failure --only-failures --dry-run --backtrace --color --colour --no-color --force-color --profile? --no-profile --warnings --help --version --failure-exit-code= --error-exit-code= --tty --strict',
      values: [{ of: '-f --format', bad: /[./\\]/, why: LOADS }],
      unlisted: 'closed',
      operands: runsInside,
    }),
  ),
  ...tools(
    'rubocop',
    options({
      options:
        '-f= -P -d -D -S -E -F -l -L -n -v -V -h -s= -C= --format= --only= --except= --parallel --no-parallel --debug --display-cop-names --no-display-cop-names --fail-level= --fail-fast --lint --safe --force-exclusion --only-guide-cops --list-target-files --show-cops? --show-docs-url? --extra-details --display-style-guide --display-time --stdin= --color --no-color --version --verbose-version --help --cache= --display-only-fail-level-offenses --display-only-correctable --display-only-safe-correctable --raise-cop-error --only-recognized-file-types --ignore-parent-exclusion --force-default-config --disable-pending-cops --enable-pending-cops --ignore-disable-comments',
      values: [
        { of: '-f --format', bad: /[./\\]/, why: LOADS },
        { of: '-s --stdin', bad: /^[/~]|\.\./, why: LOADS },
      ],
      unlisted: 'closed',
      operands: runsInside,
    }),
  ),
  ...tools(
    'phpunit',
    options({
      options:
        '-v -h --filter= --exclude-filter= --testsuite= --exclude-testsuite= --group= --exclude-group= --covers= --uses= --requires-php-extension= --testdox --testdox-summary --colors? --stop-on-failure --stop-on-error --stop-on-defect --stop-on-warning --stop-on-risky --stop-on-skipped --stop-on-incomplete --stop-on-notice --stop-on-deprecation --fail-on-warning --fail-on-risky --fail-on-skipped --fail-on-incomplete --fail-on-deprecation --fail-on-notice --fail-on-empty-test-suite --fail-on-all-issues --fail-on-phpunit-deprecation --display-all-issues --display-deprecations --display-errors --display-incomplete --display-notices --display-skipped --display-warnings --display-phpunit-deprecations --order-by= --random-order --random-order-seed= --verbose --debug --list-tests --list-suites --list-groups --list-test-files --list-test-ids --no-coverage --no-progress --no-results --no-output --no-configuration --no-logging --no-extensions --no-interaction --process-isolation --columns= --stderr --teamcity --version --help --strict-coverage --disallow-test-output --enforce-time-limit --default-time-limit= --reverse-list --reverse-order --do-not-cache-result --cache-result --dont-report-useless-tests --repeat= --atleast-version= --check-version --path-coverage --test-suffix= --ignore-baseline --compact --disable-coverage-ignore --globals-backup --static-backup',
      unlisted: 'closed',
      operands: runsInside,
    }),
  ),
  ...tools(
    'tox',
    options({
      options:
        '-e= -m= -v -vv -q -r -p? -l -a -n -o -h --recreate --parallel? --parallel-live --parallel-no-spinner --listenvs --listenvs-all --notest --skip-missing-interpreters? --version --help --no-recreate-pkg --no-recreate-provision --skip-pkg-install --fail-fast --colored= --stderr-color= --skip-env= --no-list-dependencies --labels= --env=',
      unlisted: 'closed',
      operands: operands => [
        ...handedOn(operands),
        ...(/^(exec|e|devenv|d|quickstart|q)$/.test(operands[0]?.text ?? '')
          ? operands.map(({ at }) => ({ at, why: 'runs a program' }))
          : []),
      ],
    }),
  ),
  ...tools(
    'nox',
    options({
      options:
        '-s= -e= -t= -k= -p= -l -r -R -N -x -v -h --session= --sessions= --tags= --keywords= --python= --pythons= --list --list-sessions --json --reuse-existing-virtualenvs --no-reuse-existing-virtualenvs --reuse-venv= --no-install --stop-on-first-error --error-on-missing-interpreters --verbose --non-interactive --nocolor --forcecolor --version --help',
      unlisted: 'closed',
      operands: handedOn,
    }),
  ),
  ...tools('shellcheck hadolint', harmless),
  ...tools(
    'markdownlint markdownlint-cli2',
    options({
      hazards: { '-r= --rules= -c= --config= -f --fix -o= --output= -p= --ignore-path=': LOADS },
      unlisted: 'open',
      operands: insideOnly(LOADS),
    }),
  ),
  ...tools(
    'actionlint',
    options({
      hazards: { '-shellcheck= -pyflakes= -config-file= -init-config': LOADS },
      unlisted: 'open',
      dashes: 'words',
    }),
  ),
}
