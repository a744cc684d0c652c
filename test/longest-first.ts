import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What takes longest begins first: whatever begins last is waited for alone. */
const LONGEST = [
  'test/e2e/containers.test.ts',
  'test/fuzz/surroundings.test.ts',
  'test/fuzz/dispatch.test.ts',
  'test/e2e/window-ui-looks.test.ts',
]

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => LONGEST.some(name => moduleId.endsWith(name))
    return [...sorted.filter(isLong), ...sorted.filter(file => !isLong(file))]
  }
}
