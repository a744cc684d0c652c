import { configDefaults, defineConfig } from 'vitest/config'
import { LongestFirst } from './test/longest-first.ts'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // These need a network of their own: test/e2e/containers.test.ts runs them in one.
    exclude: [...configDefaults.exclude, 'test/netns/**'],
    globalSetup: ['test/build-once.ts'],
    reporters: ['default', './test/closing-line.ts'],
    isolate: false,
    // Patience, not a promise: what must be fast says so itself. A busy machine may take ten times as long as a quiet one.
    testTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    // A host that ends waits for all that it started, and a browser for its pages.
    hookTimeout: 60_000,
    // Twice as many as the machines of CI have processors: most of the time is waiting for real processes.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
  },
})
