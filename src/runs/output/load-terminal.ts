/** Loaded when the first screen is asked for: a server or host that shows none needs none. */
export async function loadTerminal(): Promise<typeof import('./screen-terminal.ts')> {
  // The addon for wide characters reads its tables from the start of the memory a Buffer is in: a Buffer must not share it meanwhile.
  const { poolSize } = Buffer
  Buffer.poolSize = 0
  try {
    return await import('./screen-terminal.ts')
  } finally {
    Buffer.poolSize = poolSize
  }
}
