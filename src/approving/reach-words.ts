import type { Reach } from '../contract/wire/reach.ts'

/** Above what a card says about whom and what a command hits. */
export const REACHES = 'It reaches beyond the project'

/** One row for each mark. They quote words of the agent, so they are drawn; no full stop, which could be part of a path. */
export const reachRows = (reaches: readonly Reach[]): string[] => [...new Set(reaches.map(({ words }) => words))]
