import { setupMeans } from '../../approving/change-words.ts'
import type { Question } from '../../contract/wire/approver-frames.ts'
import { CodeView, Drawn } from '../parts/drawn.tsx'

/** Which files of a client would change, line by line, and what that means. */
export const SetupBody = ({ question: q }: { question: Extract<Question, { kind: 'setup' }> }) => (
  <>
    {q.files.map(({ file, lines }) => (
      <section key={file} class="mb-4" data-setup-file>
        <h2 class="label mb-1">
          <Drawn text={file} />
        </h2>
        <div class="overflow-hidden rounded-xl border border-line bg-panel">
          <CodeView text={lines.join('\n')} />
        </div>
      </section>
    ))}
    <p class="text-soft">
      <Drawn text={setupMeans(q.target)} as="prose" />
    </p>
  </>
)
