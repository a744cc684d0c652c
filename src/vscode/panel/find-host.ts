import { type HostPlaces, hostAt, type Product } from '../product/product.ts'

export interface HostFound {
  readonly port: number
  readonly pid: number
  readonly version: string
  readonly localKeyFile: string
}

/** Whether a host runs now, as it wrote down itself: who listens there has still to prove that it holds the key. Throws when the product cannot be asked. */
export async function findHost(product: Product, isRunning: (pid: number) => boolean): Promise<HostFound | null> {
  const places: HostPlaces = await product.places()
  const host = hostAt(places.hostFile)
  if (host === null || !isRunning(host.pid)) return null
  const { pid, version, approverPort: port } = host
  return { pid, version, port, localKeyFile: places.localKeyFile }
}

/** Its end may not have been written down. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'EPERM'
  }
}
