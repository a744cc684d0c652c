import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What takes longest begins first: whatever begins last is waited for alone. */
const LONGEST = [
  'test/e2e/containers.test.ts',
  'test/fuzz/surroundings.test.ts',
  'test/tasks/tasks.test.ts',
  'test/fuzz/dispatch.test.ts',
  'test/e2e/window-ui-looks.test.ts',
]

/** Then those that start real processes, for seconds each; those beside the sources mostly take milliseconds. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const group = ({ moduleId, project }: TestSpecification): number => {
      const name = relative(project.config.root, moduleId)
      return LONGEST.includes(name) ? 0 : name.startsWith('test/') ? 1 : 2
    }
    return [0, 1, 2].flatMap(wanted => sorted.filter(file => group(file) === wanted))
  }
}
