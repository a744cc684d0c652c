import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

/** What runs inside `in-netns.sh`: root, fixed ports, real containers. One file after the other: they share the engine. */
export default defineConfig({
  root: resolve(import.meta.dirname, '../..'),
  test: {
    include: ['test/netns/**/*.test.ts'],
    globalSetup: ['test/netns/engine-once.ts'],
    isolate: false,
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
})
