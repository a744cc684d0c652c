import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/build-once.ts'],
    reporters: ['default', './test/closing-line.ts'],
    isolate: false,
    testTimeout: 20_000,
    maxWorkers: 2,
  },
})
