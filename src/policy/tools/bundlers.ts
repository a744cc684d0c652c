import { inspectOptions, type OptionModel } from '../model/option-model.ts'
import { options, type ToolTable, tools } from '../model/tool-model.ts'
import { LOADS, runsInside, WRITES } from './project-code.ts'
import { leavesProject } from './project-paths.ts'

/**
 * Bundlers, transpilers and small tools of the web. Closed: they have hundreds of options, most of which reach into a
 * configuration that may be code, so what is not listed here needs approval (`npm run options` compares with their help texts).
 */
const ANY = '--help -h --version -v -V --color --no-color --colors --no-colors --silent --quiet -q --verbose --watch -w'

const closed = (list: string, more: Partial<OptionModel> = {}): OptionModel => ({
  options: `${ANY} ${list}`,
  unlisted: 'closed',
  spelling: 'loose',
  operands: runsInside,
  ...more,
})

/** A file name that decides where the configuration is looked for. */
const placed = (of: string): NonNullable<OptionModel['values']> => [
  { of, bad: /^[/~\\]|\.\.|^[A-Za-z]:[\\/]/, why: LOADS },
]

const ESBUILD = inspectOptions(
  closed(
    '--bundle --minify --minify-whitespace --minify-identifiers --minify-syntax --sourcemap? --format= --platform= --target= --splitting --external= --packages= --tree-shaking= --log-level= --log-limit= --log-override= --charset= --keep-names --jsx= --jsx-factory= --jsx-fragment= --jsx-import-source= --jsx-dev --legal-comments= --main-fields= --conditions= --resolve-extensions= --analyze? --drop= --drop-labels= --pure= --supported= --ignore-annotations --line-limit= --global-name= --source-root= --sources-content= --define= --loader= --preserve-symlinks --entry-names= --watch-delay=',
    {
      hazards: {
        '--outfile= --outdir= --outbase= --metafile= --mangle-cache= --allow-overwrite --out-extension=': WRITES,
        '--inject= --alias= --tsconfig= --tsconfig-raw= --banner= --footer= --serve? --servedir= --certfile= --keyfile=':
          LOADS,
      },
    },
  ),
)

export const BUNDLERS: ToolTable = {
  // `--external:react` and `--external=react` are the same to it.
  ...tools('esbuild', {
    globs: 'after_text',
    inspect: (argv, start) =>
      ESBUILD(
        argv.map((word, i) => (i < start ? word : word.replace(/^(--[a-z-]+):/, '$1='))),
        start,
      ),
  }),
  ...tools(
    'webpack',
    options(
      closed(
        '--mode= -m= --progress? --no-progress --stats? --no-stats --bail --no-bail --devtool= -d= --no-devtool --target= -t= --no-target --hot? --no-hot --name= --fail-on-warnings --node-env= --no-watch --profile',
        {
          spelling: 'exact',
          operands: operands => [
            ...runsInside(operands),
            ...operands
              .slice(0, 1)
              .filter(({ text }) => /^(?:init|i|create|new|c|n|loader|l|plugin|p|migrate|m)$/.test(text))
              .map(({ at }) => ({ at, why: WRITES, kind: 'choice' as const })),
          ],
        },
      ),
    ),
  ),
  ...tools(
    'vite',
    options(
      closed(
        '--host? --port= --cors --strictPort --force -l= --logLevel= --clearScreen --no-clearScreen -d? --debug? -f= --filter= -m= --mode= --target= --assetsInlineLimit= --minify? --sourcemap? --ssr? --ssrManifest? --manifest? --app --base=',
        {
          hazards: {
            '-c= --config= --configLoader= --open?': LOADS,
            '--outDir= --assetsDir= --emptyOutDir --profile': WRITES,
          },
          values: [
            { of: '--ssr', bad: /^[/~\\]|\.\./, why: LOADS },
            { of: '--manifest --ssrManifest', bad: /[/\\]|\.\./, why: WRITES },
          ],
        },
      ),
    ),
  ),
  ...tools(
    'rollup',
    options(
      closed(
        '-f= --format= -i= --input= -m? --sourcemap? -n= --name= -e= --external= -g= --globals= --strictDeprecations --treeshake --no-treeshake --exports= --extend --no-strict --no-indent --compact --failAfterWarnings --logLevel= --no-clearScreen --minifyInternalExports --preserveModules --preserveSymlinks --inlineDynamicImports --context= --perf --validate --no-esModule --no-interop --noConflict --no-externalLiveBindings --no-freeze --generatedCode= --shimMissingExports --maxParallelFileOps= --no-stdin',
        {
          hazards: {
            '-c? --config? -p= --plugin= --configPlugin= --configImportAttributesKey= --watch.onStart= --watch.onEnd= --watch.onBundleEnd= --environment=':
              LOADS,
            '-o= --file= -d= --dir= --entryFileNames= --chunkFileNames= --assetFileNames= --sourcemapFile= --sourcemapFileNames= --preserveModulesRoot= --intro= --outro= --banner= --footer=':
              WRITES,
          },
          values: placed('-i --input'),
        },
      ),
    ),
  ),
  ...tools(
    'babel',
    options(
      closed(
        '-x= --extensions= --no-comments --comments --source-maps? -s? --env-name= --retain-lines --compact? --minified --only= --ignore= --no-babelrc --source-type= --keep-file-extension --no-copy-ignored -f= --filename= --source-file-name= --highlight-code --no-highlight-code --auxiliary-comment-before= --auxiliary-comment-after=',
        { values: placed('-f --filename') },
      ),
    ),
  ),
  ...tools(
    'swc',
    options(
      closed(
        '--extensions= --only= --ignore= --sync --env-name= --workers= --log-watch-compilation --source-maps? -s? --source-file-name= --source-root= --no-swcrc -f= --filename= --strip-leading-paths',
        { values: placed('-f --filename') },
      ),
    ),
  ),
  ...tools(
    'parcel',
    options(
      closed(
        '--no-cache --no-source-maps --no-optimize --no-content-hash --no-hmr --no-autoinstall --port= -p= --hmr-port= --hmr-host= --host= --https --target= --log-level= --detailed-report? --public-url= --no-minify --no-scope-hoist --lazy --watch-ignore=',
      ),
    ),
  ),
  ...tools(
    'tsup',
    options(
      closed(
        '--format= --minify? --minify-whitespace --minify-identifiers --minify-syntax --target= --clean --no-clean --watch? --ignore-watch= --sourcemap? --dts? --dts-resolve --dts-only --no-dts --experimental-dts? --splitting --no-splitting --treeshake? --global-name= --platform= --legacy-output --shims --keep-names --external= --noExternal= --jsxFactory= --jsxFragment= --replaceNodeEnv --cjsInterop --removeNodeProtocol --no-removeNodeProtocol --no-config --pure= --killSignal=',
        {
          hazards: {
            '--onSuccess= --config= --tsconfig= --inject= --define= --entry= --env= --loader= --inject-style': LOADS,
            '-d= --outDir= --metafile --publicDir?': WRITES,
          },
        },
      ),
    ),
  ),
  ...tools(
    'stylelint',
    options(
      closed(
        '--allow-empty-input --aei --disable-default-ignores --di --formatter= -f= --ignore-disables --id --ignore-pattern= --ip= --max-warnings= --mw= --quiet-deprecation-warnings --report-needless-disables --rd --report-invalid-scope-disables --risd --report-descriptionless-disables --rdd --report-unscoped-disables --rud --stdin --stdin-filename= --validate --no-validate --print-config --cache --no-cache --cache-strategy= --compute-edit-info',
        {
          spelling: 'exact',
          values: [
            { of: '-f --formatter', bad: /[./\\]/, why: LOADS },
            { of: '--stdin-filename', bad: /^[/~\\]|\.\./, why: LOADS },
          ],
        },
      ),
    ),
  ),
  ...tools(
    'oxlint',
    options(
      closed(
        '-A= -W= -D= --allow= --warn= --deny= --deny-warnings --max-warnings= -f= --format= --ignore-pattern= --no-ignore --threads= --rules --print-config --report-unused-disable-directives --report-unused-disable-directives-severity= --disable-unicorn-plugin --disable-oxc-plugin --disable-typescript-plugin --import-plugin --react-plugin --jsdoc-plugin --jest-plugin --vitest-plugin --jsx-a11y-plugin --nextjs-plugin --react-perf-plugin --promise-plugin --node-plugin --vue-plugin --type-aware --type-check --disable-nested-config --no-error-on-unmatched-pattern',
      ),
    ),
  ),
  // They print what they are given no file for.
  ...tools(
    'svgo terser uglifyjs sass postcss tailwindcss',
    options(
      closed(
        '-c? --compress? -m? --mangle? -b? --beautify? --comments? --toplevel --ecma= --module --timings --safari10 --keep-fnames --keep-classnames --multipass --pretty --indent= --style= --no-source-map --no-quiet-deps --quiet-deps --no-charset --stdin --no-map --minify --optimize --show-plugins',
        {
          operands: operands => [
            ...runsInside(operands),
            // `sass a.scss a.css`
            ...operands
              .slice(1)
              .filter(({ text }) => /\.css$|:/.test(text))
              .map(({ at }) => ({ at, why: WRITES })),
          ],
        },
      ),
    ),
  ),
  ...tools(
    'depcheck madge knip',
    options(
      closed(
        '--json --ignores= --ignore-dirs= --skip-missing? --oneline --circular -c --depends= -d= --orphans --leaves --summary -s --no-spinner --no-count --warning --extensions= --exclude= -x= --include= --production -p --strict --workspace= -W= --dependencies --exports --files --no-exit-code --no-progress -n --include-entry-exports --max-issues= --no-config-hints --treat-config-hints-as-errors --performance --include-libs --isolate-workspaces --cache --tags= --trace --stdout',
      ),
    ),
  ),
  ...tools(
    'ncu npm-check-updates',
    options(
      closed(
        '-f= --filter= -x= --reject= -t= --target= --dep= --format= --jsonUpgraded --jsonAll --json -j --loglevel= -l= -s --peer --pre= --minimal -m -e= --errorLevel= --enginesNode --deprecated --concurrency= --timeout= --retry= -ws --workspaces --root --no-root --removeRange',
      ),
    ),
  ),
  ...tools(
    'http-server serve',
    options(
      closed(
        '-p= --port= -l= --listen= -a= -d= -i= -g -b -s -r -t= -n -u -S --single --debug --no-clipboard --no-compression --no-etag --no-port-switching --no-request-logging --cors --no-dotfiles --log-ip --gzip --brotli',
        {
          spelling: 'exact',
          operands: operands =>
            operands
              .filter(({ text }) => leavesProject(text))
              .map(({ at }) => ({ at, why: 'shows files outside the project to the network' })),
        },
      ),
    ),
  ),
}
