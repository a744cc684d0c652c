import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/build-once.ts'],
    reporters: ['default', './test/closing-line.ts'],
    isolate: false,
    testTimeout: 20_000,
    // A host that ends takes along whatever descends from it: the next file must not start before it is done.
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
})
