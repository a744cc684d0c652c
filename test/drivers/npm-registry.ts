import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

interface PackageJson {
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/**
 * A package registry on loopback with what the product needs at run time, out of this clone's own node_modules: npm installs and
 * publishes as it does anywhere, and nothing leaves the machine. It takes what is published and keeps it to be looked at.
 */
export class NpmRegistry {
  readonly #packages = new Map<string, { readonly about: PackageJson; readonly tarball: string }>()
  readonly #server: Server
  readonly published: unknown[] = []
  readonly #dir: string

  private constructor(dir: string) {
    this.#dir = dir
    this.#server = createServer((request, response) => {
      const path = decodeURIComponent(request.url ?? '/').slice(1)
      const answer = (code: number, body: string | Buffer) => response.writeHead(code).end(body)
      if (request.method === 'PUT') {
        let body = ''
        request.on('data', chunk => {
          body += chunk
        })
        request.on('end', () => {
          this.published.push(JSON.parse(body))
          answer(201, '{}')
        })
        return
      }
      const held = this.#packages.get(path.replace(/\/-\/.*/, ''))
      if (!held) return answer(404, '{}')
      if (path.endsWith('.tgz')) return answer(200, readFileSync(held.tarball))
      const dist = { tarball: `${this.url}/${held.about.name}/-/package.tgz` }
      const { name, version } = held.about
      answer(
        200,
        JSON.stringify({ name, 'dist-tags': { latest: version }, versions: { [version]: { ...held.about, dist } } }),
      )
    })
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  static async open(dir: string): Promise<NpmRegistry> {
    const registry = new NpmRegistry(dir)
    const folders = neededBy(readJson(root))
    mkdirSync(join(dir, 'held'), { recursive: true })
    await npmOrThrow(['pack', '--ignore-scripts', '--pack-destination', join(dir, 'held'), ...folders], root)
    const tarballs = readdirSync(join(dir, 'held'))
    for (const folder of folders) {
      const about = readJson(folder)
      const file = `${about.name.replace('@', '').replace('/', '-')}-${about.version}.tgz`
      if (!tarballs.includes(file)) throw new Error(`npm pack made no ${file}`)
      registry.#packages.set(about.name, { about, tarball: join(dir, 'held', file) })
    }
    await new Promise<void>(done => registry.#server.listen(0, '127.0.0.1', done))
    return registry
  }

  /** npm with this registry, a cache and a home of its own, and install scripts blocked. */
  npm(words: readonly string[], cwd: string): Promise<{ code: number | null; out: string }> {
    return npm(words, cwd, {
      HOME: this.#dir,
      npm_config_cache: join(this.#dir, 'cache'),
      npm_config_registry: this.url,
      npm_config_userconfig: join(this.#dir, 'npmrc'),
      npm_config_ignore_scripts: 'true',
      npm_config_audit: 'false',
      npm_config_fund: 'false',
      npm_config_update_notifier: 'false',
      [`npm_config_//127.0.0.1:${new URL(this.url).port}/:_authToken`]: 'nobody-checks-it',
    })
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}

/** Folders of all packages that are installed beside the product, and beside those. */
function neededBy({ dependencies = {}, optionalDependencies = {} }: PackageJson, seen: string[] = []): string[] {
  for (const name of [...Object.keys(dependencies), ...Object.keys(optionalDependencies)]) {
    const folder = join(root, 'node_modules', name)
    if (seen.includes(folder) || !existsSync(folder)) continue
    seen.push(folder)
    neededBy(readJson(folder), seen)
  }
  return seen
}

const readJson = (folder: string): PackageJson =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageJson

export function npm(
  words: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<{ code: number | null; out: string }> {
  return new Promise((done, fail) => {
    const plain = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_|^PM_/i.test(name)))
    const child = spawn('npm', [...words], { cwd, env: { ...plain, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
    let out = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', chunk => {
        out += chunk
      })
    child.once('error', fail)
    child.once('close', code => done({ code, out }))
  })
}

export async function npmOrThrow(words: readonly string[], cwd: string): Promise<string> {
  const { code, out } = await npm(words, cwd)
  if (code !== 0) throw new Error(`npm ${words[0]} ended with ${code}: ${out}`)
  return out
}
