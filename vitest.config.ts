import { configDefaults, defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // These need a network of their own: test/e2e/containers.test.ts runs them in one.
    exclude: [...configDefaults.exclude, 'test/netns/**'],
    globalSetup: ['test/build-once.ts'],
    reporters: ['default', './test/closing-line.ts'],
    isolate: false,
    testTimeout: 20_000,
    // A host that ends waits for all that it started, and a browser for its pages.
    hookTimeout: 60_000,
    // One more than the machines of CI have processors: much of the time is waiting for real processes.
    maxWorkers: 3,
  },
})
