// What makes this machine another one, inside a mount namespace: with Node and nothing else, or one that is no container.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, unlinkSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

const user = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user']
/** For unshare. */
export const NAMESPACES = [...user, '--mount', '--propagation', 'private', '--pid', '--fork', '--kill-child']

/** Nothing of whoever starts this but the way to Node and to the registry. */
export function cleanEnv(home) {
  const kept = Object.entries(process.env).filter(([name]) =>
    /^(LANG|.*_proxy|NODE_EXTRA_CA_CERTS|npm_config_(registry|cache|userconfig))$/i.test(name),
  )
  const directories = [dirname(process.execPath), '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin']
  return { ...Object.fromEntries(kept), HOME: home, PATH: directories.join(delimiter), TERM: 'dumb' }
}

/** A root without the marks of a container, where this machine is one; /tmp, devices and processes are those of the namespace. */
export function rootOfOnesOwn(over) {
  execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', over])
  for (const name of ['upper', 'work', 'root']) mkdirSync(join(over, name))
  const root = join(over, 'root')
  const layers = `lowerdir=/,upperdir=${join(over, 'upper')},workdir=${join(over, 'work')}`
  execFileSync('mount', ['-t', 'overlay', 'overlay', '-o', layers, root])
  for (const name of ['dev', 'sys', 'tmp']) execFileSync('mount', ['--rbind', `/${name}`, join(root, name)])
  execFileSync('mount', ['-t', 'proc', 'proc', join(root, 'proc')])
  for (const mark of ['.dockerenv', 'run/.containerenv', 'run/systemd/container'])
    rmSync(join(root, mark), { force: true })
  return root
}

/** Lays a writable layer over /usr and takes away there what belongs to no package that is kept. */
export function hidePackages(over) {
  const { all, kept } = packages()
  execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', over])
  for (const name of ['upper', 'work']) mkdirSync(join(over, name))
  const layers = `lowerdir=/usr,upperdir=${join(over, 'upper')},workdir=${join(over, 'work')}`
  execFileSync('mount', ['-t', 'overlay', 'overlay', '-o', layers, '/usr'])
  if (existsSync('/etc/fonts')) execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', '/etc/fonts'])
  const needed = new Set([...kept].flatMap(filesOf))
  const gone = [...all].filter(name => !kept.has(name)).flatMap(filesOf)
  let files = 0
  for (const file of [...gone.filter(file => !needed.has(file)), ...putByHand()]) files += removeFile(file)
  return { files, packages: all.size - kept.size }
}

/** What nobody packaged, Node and its own programs aside. */
function putByHand() {
  const own = dirname(process.execPath) === '/usr/local/bin' ? /^(node|npm|npx|corepack)$/ : /^$/
  return ['/usr/local/bin', '/usr/local/sbin'].filter(existsSync).flatMap(directory =>
    readdirSync(directory)
      .filter(name => !own.test(name))
      .map(name => join(directory, name)),
  )
}

function removeFile(file) {
  try {
    if (lstatSync(file).isDirectory()) return 0
    unlinkSync(file)
    return 1
  } catch {
    return 0 // it is not there on this machine
  }
}

/** Every package here, and those a machine with Node and nothing else has: what Debian requires, what Node's needs, and so on. */
function packages() {
  const fields = ['binary:Package', 'Package', 'Essential', 'Priority', 'Pre-Depends', 'Depends', 'Provides']
  const format = `${fields.map(field => `\${${field}}`).join('\\t')}\\n`
  const rows = execFileSync('dpkg-query', ['-W', `-f=${format}`], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
    .split('\n')
    .filter(Boolean)
    .map(line => line.split('\t'))
  const wanted = new Map()
  const byName = new Map()
  const kept = new Set()
  for (const [id, name, essential, priority, first, depends, provides] of rows) {
    wanted.set(id, [...namesIn(first), ...namesIn(depends)])
    for (const provided of [name, ...namesIn(provides)]) byName.set(provided, [...(byName.get(provided) ?? []), id])
    if (essential === 'yes' || priority === 'required') kept.add(id)
  }
  const owner = spawnSync('dpkg-query', ['-S', realpathSync(process.execPath)], { encoding: 'utf8' }).stdout.split(
    ': ',
  )[0]
  for (const id of byName.get(owner) ?? []) kept.add(id)
  // A set that grows while it is walked.
  for (const id of kept)
    for (const name of wanted.get(id) ?? []) for (const other of byName.get(name) ?? []) kept.add(other)
  return { all: new Set(rows.map(([id]) => id)), kept }
}

function namesIn(text) {
  const parts = text.split(/[,|]/).map(part => part.trim().split(/[\s:(]/)[0])
  return parts.filter(Boolean)
}

/** The files of a package, under the names they really have: /bin and /lib lie in /usr. */
export function filesOf(id) {
  const list = [id, id.split(':')[0]].map(name => `/var/lib/dpkg/info/${name}.list`).find(existsSync)
  const files = list === undefined ? [] : readFileSync(list, 'utf8').split('\n')
  return files.map(file => file.replace(/^\/(bin|sbin|lib\w*)\//, '/usr/$1/')).filter(file => file.startsWith('/usr/'))
}
