import { LOADS, runsInside, WRITES } from './project-code.ts'
import { leavesProject } from './project-paths.ts'
import { nothingButHelp, options, type ToolModel, type ToolTable, tools } from './tool-model.ts'

/** Task runners: what they start is the project's own; their options must not bring in other code. */
const projectRunner = (isTarget: (text: string) => boolean): ToolModel =>
  options({
    hazards: {
      '-P= -E= -f= -C= -S= -B= -D= -I= --init-script= --build-file= --project-dir= --settings= -s= -e= --eval= --script= --include-build= --settings-file= --gulpfile= --gruntfile= --cwd= --justfile= -F= --override_repository= --run_under= --action_env= --shell= --shell-arg= --working-directory= -d= --rakefile= --require= -r= --bazelrc= -G= --toolchain= --project-cache-dir= --gradle-user-home= -g= -b= --execute= -E= --execute-print= --execute-continue= -p= -t= --taskfile= -c= --command= --chdir= --dir= --workspace_status_command= --shell_executable= --credential_helper= --remote_executor= --test_env= --repo_env= --package_path= --output_base= --output_user_root= --host_jvm_args= --script_path= --trace-redirect= --graphviz= --profiling-output= --chooser= --edit --dotenv-path= --dotenv-filename= --graph? --api= -R= --rakelibdir= --libdir= --tasks= --npm= --preload=':
        LOADS,
    },
    unlisted: 'open',
    operands: operands => [
      ...runsInside(operands.filter(({ text }) => !isTarget(text))),
      ...operands
        .filter(({ text }) => /^-?D|^(run|exec|x)$|^(eval|console|shell)\b|[=;!]/.test(text))
        .map(({ at }) => ({ at, why: LOADS })),
    ],
  })

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
        '-p= --project= -w --watch -b --build --noEmit --listFilesOnly --pretty --incremental --strict --skipLibCheck --listFiles --showConfig --version -v --help -h --target= -t= --module= -m= --lib= --jsx= --moduleResolution= --types= --force -f --verbose --dry -d --diagnostics --extendedDiagnostics --explainFiles --traceResolution --noEmitOnError --esModuleInterop --allowJs --checkJs --resolveJsonModule --isolatedModules --noUnusedLocals --noUnusedParameters --noImplicitAny --strictNullChecks --noUncheckedIndexedAccess --exactOptionalPropertyTypes --noImplicitReturns --noImplicitOverride --noImplicitThis --noFallthroughCasesInSwitch --noPropertyAccessFromIndexSignature --noErrorTruncation --preserveWatchOutput --preserveSymlinks --assumeChangesOnlyAffectDirectDependencies --allowImportingTsExtensions --allowSyntheticDefaultImports --allowUnreachableCode --allowUnusedLabels --verbatimModuleSyntax --erasableSyntaxOnly --useUnknownInCatchVariables --strictFunctionTypes --strictBindCallApply --strictPropertyInitialization --forceConsistentCasingInFileNames --moduleDetection= --jsxImportSource= --maxNodeModuleJsDepth= --composite --all',
      hazards: {
        '--outFile= --outDir= --declarationDir= --generateTrace= --generateCpuProfile= --tsBuildInfoFile= --init --declaration --emitDeclarationOnly --sourceMap --clean':
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
    'cmake meson ninja gradle gradlew ant sbt xcodebuild msbuild rake grunt gulp turbo nx lerna just task',
    projectRunner(() => false),
  ),
  // `//pkg:target` is a place in the workspace.
  ...tools(
    'bazel bazelisk',
    projectRunner(text => /^\/\/[\w./:@+-]*$/.test(text) && !text.split('/').includes('..')),
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
    options({
      hazards: {
        '-p= --property= --configfile= --output= -o= --runtimeconfig= --depsfile= --additionalprobingpath= --diagnostics --settings= -s= --test-adapter-path= --logger= --results-directory=':
          'loads code or writes files',
      },
      unlisted: 'open',
      operands: operands =>
        /^(exec|run|tool|script|new|add|nuget|fsi|workload)$/.test(operands[0]?.text ?? '') ||
        /\.(dll|exe|csx)$/.test(operands[0]?.text ?? '')
          ? operands.map(({ at }) => ({ at, why: 'runs a program' }))
          : operands
              .filter(({ text }) => text.startsWith('/') || text.startsWith('@') || leavesProject(text))
              .map(({ at }) => ({ at, why: 'sets a property or names a file outside the project' })),
    }),
  ),
  ...tools(
    'webpack vite rollup esbuild babel swc parcel tsup stylelint',
    options({
      hazards: {
        '-c= --config= --config-file= -r= --require= --presets= --plugins= --plugin= --custom-syntax= --processor= --config-basedir= --configPlugin= --root= --servedir= --inject= --preset= --custom-formatter= --tsconfig= --tsconfig-raw= -p=':
          LOADS,
        '--outfile= --outdir= --out-dir= --outDir= -o= -d= --output= --output-path= --out-file= --fix --metafile= --dist-dir= --cache-dir=':
          WRITES,
      },
      unlisted: 'open',
      spelling: 'loose',
      dotted: 'ask',
      operands: runsInside,
    }),
  ),
  ...tools(
    'ansible ansible-playbook ansible-console vagrant watchexec packer',
    nothingButHelp('runs commands of its own'),
  ),
}
