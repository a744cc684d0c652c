import type { ResourceFront } from '../../src/mcp/server/resource-front.ts'

/** Resources that are as a test wants them: one that can be read, and news when the test says so. */
export class FakeResources implements ResourceFront {
  readonly uri = 'terminal://runs/req_1/output'
  readonly watched: string[] = []
  readonly #changed = new Map<string, () => void>()
  #appeared = () => {}

  async list() {
    return { resources: [{ uri: this.uri, name: 'req_1 output', mimeType: 'text/plain' }] }
  }

  async read(uri: string) {
    if (uri !== this.uri) throw this.#nothing(uri)
    return [{ uri, mimeType: 'text/plain', text: 'printed' }]
  }

  async watch(uri: string, _: unknown, changed: () => void) {
    if (uri !== this.uri) throw this.#nothing(uri)
    this.watched.push(uri)
    this.#changed.set(uri, changed)
    return { dispose: () => void this.watched.splice(this.watched.indexOf(uri), 1) }
  }

  async onAppeared(watcher: () => void) {
    this.#appeared = watcher
    return { dispose() {} }
  }

  change(): void {
    this.#changed.get(this.uri)?.()
  }

  appear(): void {
    this.#appeared()
  }

  #nothing(uri: string): Error {
    return Object.assign(new Error(`There is no ${uri}.`), { code: 'PM_TERM_NOT_FOUND' })
  }
}
