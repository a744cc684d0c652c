import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { askProduct, type EditorVariables } from './ask-product.ts'
import { findProduct, type ProductCommand, type ProductLook } from './find-product.ts'

/** The product that this editor uses: the one the person has installed, or the one inside the extension. */
export interface Product {
  /** How it is started. Throws, in words for a person, when the program that was set cannot be. */
  command(): ProductCommand
  /** Where its host keeps what we need, as the product itself says: settings and variables decide it. */
  places(): Promise<HostPlaces>
}

export interface HostPlaces {
  /** Where a running host says which ports it has, and who it is: read with `hostAt`. It grants nothing. */
  readonly hostFile: string
  /** What a program of this person proves itself with, on both ports. */
  readonly localKeyFile: string
  readonly approverFile: string
}

/** What a host has written down about itself; it may have ended since. */
export interface HostAt {
  readonly pid: number
  /** Of MCP servers and of this editor's own requests. */
  readonly port: number
  /** Of approvers. */
  readonly approverPort: number
  readonly version: string
}

/** Found at the first use and again at each: the person may have installed it meanwhile. Its places stay as long as the program does. */
export function productOf(look: () => ProductLook, ownEnv: EditorVariables): Product {
  let known: { readonly of: string; readonly places: Promise<HostPlaces> } | null = null
  const command = () => findProduct(look())
  return {
    command,
    places() {
      const found = command()
      const of = JSON.stringify(found)
      if (known?.of !== of) {
        const places = askProduct(found, ['where', 'state'], ownEnv).then(said => placesIn(said.trim()))
        known = { of, places }
        places.catch(() => {
          if (known?.places === places) known = null // asked again the next time
        })
      }
      return known.places
    },
  }
}

const placesIn = (stateDir: string): HostPlaces => ({
  hostFile: join(stateDir, 'host.json'),
  localKeyFile: join(stateDir, 'local.key'),
  approverFile: join(stateDir, 'approver.v1.json'),
})

/** null: none has run here, or what it wrote cannot be read. Whoever listens there still has to prove that it holds the key. */
export function hostAt(hostFile: string): HostAt | null {
  try {
    const said = JSON.parse(readFileSync(hostFile, 'utf8')) as Record<string, unknown>
    const { pid, port, approver_port: approverPort, version } = said
    if (!isPort(port) || !isPort(approverPort) || typeof pid !== 'number') return null
    return { pid, port, approverPort, version: typeof version === 'string' ? version : '' }
  } catch {
    return null
  }
}

const isPort = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 65_536
