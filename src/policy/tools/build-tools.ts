import { type Hazard, inspectOptions, type Operand, type OptionModel } from '../model/option-model.ts'
import { nothingButHelp, options, type ToolModel, type ToolTable, tools } from '../model/tool-model.ts'
import { LOADS, runsInside, WRITES } from './project-code.ts'
import { leavesProject } from './project-paths.ts'

/** Task runners: what they start is the project's own; their options must not bring in other code. */
const projectRunner = (verbs: (operands: readonly Operand[]) => Hazard[]): ToolModel =>
  options({
    hazards: {
      '-P= -E= -f= -C= -S= -B= -D= -I= --init-script= --build-file= --project-dir= --settings= -s= -e= --eval= --script= --include-build= --settings-file= --gulpfile= --gruntfile= --cwd= --justfile= -F= --override_repository= --run_under= --action_env= --shell= --shell-arg= --working-directory= -d= --rakefile= --require= -r= --bazelrc= -G= --toolchain= --project-cache-dir= --gradle-user-home= -g= -b= --execute= -E= --execute-print= --execute-continue= -p= -t= --taskfile= -c= --command= --chdir= --dir= --workspace_status_command= --shell_executable= --credential_helper= --remote_executor= --test_env= --repo_env= --package_path= --output_base= --output_user_root= --host_jvm_args= --script_path= --trace-redirect= --graphviz= --profiling-output= --chooser= --edit --dotenv-path= --dotenv-filename= --graph? --api= -R= --rakelibdir= --libdir= --tasks= --npm= --preload= --cache-dir= --profile? --anon-profile? --log-file? --root-turbo-json= --heap= --token= --npm-client= --profile-location= --load-env-files --open= --install= --install-prefix= --debugger --debugger-pipe= --debugger-dap-log= --runner= --system-prop= --project-prop= --env-file= --env= --completion= --listener= -logger= -lib= --define= --addPluginSbtFile= --java-home= --jvm-debug= --tool= --plugin= --experimental-otel-endpoint= --fmt --file= --outputFile=':
        LOADS,
    },
    options: '--build= --parallel? --target=',
    values: [
      { of: '--build', bad: /^[/~]|\.\./, why: 'works in another directory' },
      { of: '--target', bad: /^(?:un)?install|^package|^deploy|^publish/, why: 'writes outside the project' },
    ],
    unlisted: 'open',
    operands: operands => [...tasks(operands), ...verbs(operands)],
  })

const tasks = (operands: readonly Operand[]): Hazard[] => [
  ...runsInside(operands),
  ...operands
    .filter(({ text }) => /^-?D|^(run|exec|x)$|^(eval|console|shell)\b|[=;!]/.test(text))
    .map(({ at }) => ({ at, why: LOADS })),
]

/** Verbs of nx, lerna and turbo that install, generate or publish. Other runners may have a task of such a name. */
const changingVerbs = (operands: readonly Operand[]): Hazard[] =>
  operands
    .slice(0, 1)
    .filter(({ text }) =>
      /^(?:add|init|import|migrate|generate|g|release|publish|version|create|bootstrap|link|login|logout|connect|reset|repair|prune|unlink|daemon|add-caching|diff|clean|scan|gen|graph|dep-graph)$/.test(
        text,
      ),
    )
    .map(({ at }) => ({ at, why: 'installs, writes or publishes something', kind: 'choice' as const }))

/** `--property:x=y` is `--property=x=y`. */
const withColons = (model: OptionModel): ToolModel => {
  const inspect = inspectOptions(model)
  return {
    globs: 'after_text',
    inspect: (argv, start) =>
      inspect(
        argv.map((word, i) => (i < start ? word : word.replace(/^(--[\w-]+):/, '$1='))),
        start,
      ),
  }
}

export const BUILD_TOOLS: ToolTable = {
  ...tools(
    'make gmake',
    options({
      options:
        '-B -d -i -j? -k -l? -n -O? -p -q -r -R -s -S -t -w --always-make --debug? --ignore-errors --jobs? --keep-going --load-average? --just-print --dry-run --recon --output-sync? --question --silent --quiet --no-silent --stop --print-directory --no-print-directory --warn-undefined-variables --trace --print-data-base --no-builtin-rules --help --version -v -h',
      hazards: {
        '--eval= -E=': 'runs make code',
        '-f= --file= --makefile=': 'takes another makefile',
        '-C= --directory=': 'works in another directory',
        '-I= --include-dir= -e --environment-overrides -o= -W= --old-file= --new-file= --what-if= --assume-new= --assume-old=':
          LOADS,
      },
      unlisted: 'closed',
      operands: operands => [
        ...operands.filter(({ text }) => text.includes('=')).map(({ at }) => ({ at, why: 'sets a make variable' })),
        ...operands
          .filter(({ text }) => /^[/~]|\$/.test(text))
          .map(({ at }) => ({ at, why: 'names a file outside the project' })),
      ],
    }),
  ),
  ...tools(
    'tsc',
    options({
      options:
        '-p= --project= -w --watch -b --build --noEmit --listFilesOnly --pretty --incremental --strict --skipLibCheck --listFiles --showConfig --version -v --help -h --target= -t= --module= -m= --lib= --jsx= --moduleResolution= --types= --force -f --verbose --dry --diagnostics --extendedDiagnostics --explainFiles --traceResolution --noEmitOnError --esModuleInterop --allowJs --checkJs --resolveJsonModule --isolatedModules --noUnusedLocals --noUnusedParameters --noImplicitAny --strictNullChecks --noUncheckedIndexedAccess --exactOptionalPropertyTypes --noImplicitReturns --noImplicitOverride --noImplicitThis --noFallthroughCasesInSwitch --noPropertyAccessFromIndexSignature --noErrorTruncation --preserveWatchOutput --preserveSymlinks --assumeChangesOnlyAffectDirectDependencies --allowImportingTsExtensions --allowSyntheticDefaultImports --allowUnreachableCode --allowUnusedLabels --verbatimModuleSyntax --erasableSyntaxOnly --useUnknownInCatchVariables --strictFunctionTypes --strictBindCallApply --strictPropertyInitialization --forceConsistentCasingInFileNames --moduleDetection= --jsxImportSource= --maxNodeModuleJsDepth= --composite --all',
      hazards: {
        '-d --outFile= --outDir= --declarationDir= --generateTrace= --generateCpuProfile= --tsBuildInfoFile= --init --declaration --emitDeclarationOnly --sourceMap --clean':
          WRITES,
        '--plugins= --rootDir= --baseUrl= --locale= --allowPlugins --runExternalCode': LOADS,
      },
      values: [{ of: '-p --project', bad: /^[/~]|\.\./, why: 'names a project outside this one' }],
      unlisted: 'closed',
      operands: runsInside,
    }),
  ),
  ...tools(
    'gcc g++ cc c++ clang clang++ ld rustc javac',
    options({
      hazards: {
        '-o= -wrapper= -B= -fplugin= -Xlinker= -specs= --specs= -load= -save-temps -MF= -Wl, -D= -I= -include= -d= -processor= -cp= -classpath= -C= --out-dir= --emit= --extern=':
          'loads code or writes a file',
      },
      options: '--version -v -dumpversion -dumpmachine --help',
      unlisted: 'closed',
      dashes: 'words',
      operands: operands => operands.map(({ at }) => ({ at, why: WRITES })),
    }),
  ),
  ...tools(
    'cmake ninja ant sbt xcodebuild msbuild rake grunt gulp just task',
    projectRunner(() => []),
  ),
  ...tools('turbo nx lerna', projectRunner(changingVerbs)),
  ...tools(
    'gradle gradlew',
    options({
      options:
        '-a -q -i -d -w -s -S -m -t -v -V -h -? -x= --quiet --info --debug --warn --stacktrace --full-stacktrace --offline --rerun-tasks --rerun --continue --no-continue --parallel --no-parallel --daemon --no-daemon --build-cache --no-build-cache --configuration-cache --no-configuration-cache --configure-on-demand --no-configure-on-demand --max-workers= --console= --warning-mode= --dry-run --exclude-task= --continuous --no-scan --status --stop --tests= --version --show-version --help --priority= --watch-fs --no-watch-fs --task-graph --all --configuration= --dependency= --group= --refresh-dependencies --no-rebuild --non-interactive --fail-fast --test-dry-run --plain',
      unlisted: 'closed',
      operands: tasks,
    }),
  ),
  ...tools(
    'meson',
    options({
      options:
        '-C= -j= -v -q -t= -h --verbose --quiet --num-processes= --list --print-errorlogs --no-rebuild --repeat= --no-stdsplit --suite= --no-suite= --timeout-multiplier= --maxfail= --max-lines= --benchmark --setup= --slice= --help --version --buildtype= --reconfigure --jobs= --load-average= --targets --tests --ast --all --projectinfo --buildoptions',
      hazards: {
        '--wrapper= --gdb --gdb-path= --test-args= --ninja-args= --vs-args= --xcode-args= --cross-file= --native-file= -D=':
          LOADS,
        '--logbase= --wipe --clean --prefix= --destdir= --backend=': WRITES,
      },
      values: [{ of: '-C', bad: /^[/~]|\.\./, why: 'works in another directory' }],
      unlisted: 'closed',
      operands: operands => [
        ...tasks(operands),
        ...operands
          .slice(0, 1)
          .filter(({ text }) =>
            /^(?:setup|configure|install|dist|init|wrap|subprojects|rewrite|devenv|env2mfile|format|reprotest)$/.test(
              text,
            ),
          )
          .map(({ at }) => ({ at, why: WRITES, kind: 'choice' as const })),
      ],
    }),
  ),
  // `//pkg:target` is a place in the workspace. There are a thousand options: those of every day are listed.
  ...tools(
    'bazel bazelisk',
    options({
      options:
        '--config= -c= --compilation_mode= --test_output= --test_filter= --jobs= -j= -k --keep_going --nokeep_going --verbose_failures --cache_test_results= --nocache_test_results --runs_per_test= --test_timeout= --test_tag_filters= --build_tag_filters= --test_size_filters= --test_lang_filters= --color= --curses= --show_progress --noshow_progress --test_summary= --local_test_jobs= --build_tests_only --flaky_test_attempts= -s --subcommands --show_result= --announce_rc --output= --nobuild --nostamp --ui_event_filters= --sandbox_debug --test_sharding_strategy= --implicit_deps --noimplicit_deps --tool_deps --notool_deps --universe_scope= --order_output= --show_timestamps --version --help --test_verbose_timeout_warnings --batch --noworkspace_rc',
      values: [{ of: '-c', bad: /^(?!(?:opt|dbg|fastbuild)$)/, why: LOADS }],
      unlisted: 'closed',
      operands: operands =>
        tasks(operands.filter(({ text }) => !/^\/\/[\w./:@+-]*$/.test(text) || text.split('/').includes('..'))),
    }),
  ),
  ...tools(
    'mvn mvnw',
    options({
      options:
        '-q -B -U -o -e -X -V -N -T= -pl= -rf= -am -amd -fae -ff -fn -nsu -ntp -C -c -h -v --quiet --batch-mode --update-snapshots --offline --errors --debug --show-version --non-recursive --threads= --projects= --resume-from= --also-make --also-make-dependents --fail-at-end --fail-fast --fail-never --no-transfer-progress --help --version -Dtest= -Dit.test= -DskipTests -DskipITs -Dmaven.test.skip -DfailIfNoTests= -Dsurefire.failIfNoSpecifiedTests= -Dstyle.color=',
      unlisted: 'closed',
      dashes: 'words',
      operands: operands => [
        ...runsInside(operands),
        ...operands.filter(({ text }) => /[:=]/.test(text)).map(({ at }) => ({ at, why: 'runs a plugin by its name' })),
      ],
    }),
  ),
  ...tools('ctags cscope', nothingButHelp(WRITES)),
  ...tools(
    'dotnet',
    withColons({
      options: '--filter=',
      hazards: {
        '-d= -a= -t= --target= -l= -p= --property= --configfile= --restore-property= --framework-reference= --diag= --environment= -e= --artifacts-path= --tool-path= --source= --packages= --output= -o= --runtimeconfig= --depsfile= --additionalprobingpath= --diagnostics --settings= -s= --test-adapter-path= --logger= --results-directory=':
          'loads code or writes files',
      },
      unlisted: 'open',
      operands: operands =>
        /^(exec|run|watch|format|publish|pack|sln|remove|store|dev-certs|user-secrets|tool|script|new|add|nuget|fsi|workload|ef|msbuild|vstest|clean|build-server)$/.test(
          operands[0]?.text ?? '',
        ) || /\.(dll|exe|csx)$/.test(operands[0]?.text ?? '')
          ? operands.map(({ at }) => ({ at, why: 'runs a program' }))
          : operands
              .filter(({ text }) => /^[/@]|=/.test(text) || leavesProject(text))
              .map(({ at }) => ({ at, why: 'sets a property or names a file outside the project' })),
    }),
  ),
  ...tools(
    'ansible ansible-playbook ansible-console vagrant watchexec packer',
    nothingButHelp('runs commands of its own'),
  ),
}
