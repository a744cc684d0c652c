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
    // A host that ends takes along whatever descends from it: the next file must not start before it is done.
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
})
