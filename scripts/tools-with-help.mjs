/** The tools whose help texts `npm run options` reads, and the packages that bring those this machine lacks. Versions are pinned. */
const packagesOf = list =>
  list
    .trim()
    .split('\n')
    .flatMap(row => {
      const [item, brings] = row.trim().split(/\s+=>\s+/)
      return item.split(' ').map(one => ({ item: one, brings: brings.split(' ') }))
    })

export const NPM_PACKAGES = packagesOf(`
  eslint@10.14.0 => eslint
  prettier@3.9.10 => prettier
  typescript@7.0.2 => tsc
  vitest@4.1.12 => vitest
  jest@30.5.2 => jest
  mocha@12.0.3 => mocha
  ava@7.0.0 => ava
  tap@21.8.0 => tap
  webpack@5.112.2 webpack-cli@7.3.1 => webpack
  rollup@4.68.2 => rollup
  vite@8.3.8 => vite
  esbuild@0.28.2 => esbuild
  tsup@8.5.1 => tsup
  parcel@2.16.4 => parcel
  turbo@2.11.10 => turbo
  nx@24.0.0 => nx
  lerna@9.0.7 => lerna
  stylelint@17.16.0 => stylelint
  @playwright/test@1.65.0 => playwright
  cypress@15.3.0 => cypress
  karma@6.4.4 => karma
  @babel/core@7.29.13 @babel/cli@7.29.7 => babel
  @swc/core@1.16.22 @swc/cli@0.8.1 => swc
  @biomejs/biome@2.6.6 => biome
  pnpm@12.18.0 => pnpm
  gulp-cli@3.1.0 => gulp
  grunt@1.6.3 grunt-cli@1.5.0 => grunt
  markdownlint-cli@0.48.0 => markdownlint
  pyright@1.1.414 => pyright
  svgo@4.1.0 => svgo
  terser@5.51.2 => terser
  uglify-js@3.19.3 => uglifyjs
  sass@1.108.1 => sass
  postcss@8.5.32 postcss-cli@11.0.1 => postcss
  @tailwindcss/cli@4.3.3 => tailwindcss
  npm-check-updates@22.2.9 => ncu
  depcheck@1.4.7 => depcheck
  madge@8.0.0 => madge
  knip@6.44.1 => knip
  oxlint@1.93.0 => oxlint
  vue-tsc@3.3.14 => vue-tsc
  typedoc@0.28.20 => typedoc
  http-server@14.1.1 => http-server
  serve@14.2.6 => serve
`)

export const PIP_PACKAGES = packagesOf(`
  ruff==0.16.9 => ruff
  mypy==2.4.0 => mypy
  flake8==7.4.1 => flake8
  isort==9.0.2 => isort
  meson==1.12.1 => meson
  pytest==9.1.1 pytest-cov==7.1.0 => pytest
`)

const GIT = `log show diff status grep blame branch tag fetch pull push clone commit add rm mv checkout switch restore merge cherry-pick revert
  rebase reset clean archive ls-files ls-tree show-ref for-each-ref name-rev describe cat-file rev-parse ls-remote reflog shortlog`
const OPENSSL = 'x509 req s_client ocsp cms enc dgst rand genrsa rsa pkey verify pkcs12 crl ts asn1parse'

/** What is judged, and how it is asked for its help; without more that is `--help`. */
const rows = list =>
  list
    .trim()
    .split('\n')
    .flatMap(row => {
      const [tools = '', help] = row.trim().split(' | ')
      return tools.split(', ').map(tool => {
        const words = tool.split(' ')
        const asked = help?.split(' ') ?? [...words.slice(1), '--help']
        return asked[0] === 'python3' ? { words, ask: asked } : { words, ask: [words[0], ...asked] }
      })
    })

export const HELP_ROWS = [
  ...rows(`
    eslint, prettier, jest, mocha, ava, tap, karma, stylelint, biome check, biome lint, biome ci, biome format
    vitest run | --help --expand-help
    playwright test, cypress run
    tsc | --all
    webpack | --help=verbose
    vite, vite build, rollup, esbuild, tsup, parcel build, babel, swc, turbo run, turbo, nx, nx run-many, nx affected, lerna, lerna run
    gulp, grunt, markdownlint, pyright, pnpm
    pnpm run, pnpm list, pnpm test
    svgo, terser, uglifyjs, sass, postcss, tailwindcss, ncu, depcheck, madge, knip, oxlint, vue-tsc, typedoc, http-server, serve
    npm test | help test
    ruff check, ruff format, pytest
    mypy | python3 -m mypy --help
    flake8 | python3 -m flake8 --help
    isort | python3 -m isort --help
    meson test | python3 -m mesonbuild.mesonmain test --help
    meson compile | python3 -m mesonbuild.mesonmain compile --help
    find, sort, uniq, sed, grep, tar, rsync, wget, make, jq, yq, awk, file, date, diff, split, shuf, base64, tree, xxd, less, man
    cat, head, tail, wc, ls, stat, du, df, cut, tr, nl, tac, od, sha256sum, cmp, comm, paste, join, column, strings, objdump, nm, readelf
    ps, pgrep, free, uptime, who, w, last, lsblk, lscpu, numfmt, ss, lsof, journalctl, systemctl, gpg, zip, unzip, gzip, xz, zstd
    curl | --help all
    cp, mv, mkdir, touch, ln, chmod, chown, dpkg, scp, ssh
    cmake, ninja, ctest, mvn, gradle, ant, bazel, cargo, cargo test, cargo build, cargo check, cargo clippy, cargo tree, cargo doc
    docker ps, docker logs, docker images, docker inspect, docker build, docker compose ps, docker compose logs
    kubectl get, kubectl describe, kubectl logs, terraform, terraform show, gh pr list, gh pr view
    rubocop, rspec, phpunit, tox, nox, black, pylint, bandit, dotnet build, dotnet test, go test, cloc, rg, fd, bat
  `),
  ...GIT.split(/\s+/).map(name => ({ words: ['git', name], ask: ['git', name, '-h'] })),
  ...OPENSSL.split(' ').map(name => ({ words: ['openssl', name], ask: ['openssl', name, '-help'] })),
  { words: ['node', '--test'], ask: ['node', '--help'] },
]
