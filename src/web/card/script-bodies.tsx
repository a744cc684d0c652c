import { FileQuestion, FileText } from 'lucide'
import type { CommandQuestion } from '../../approving/question.ts'
import { NOT_SHOWN, notShownWords, omittedWords, SCRIPT_KINDS } from '../../approving/scripts.ts'
import { CodeView, Drawn } from '../parts/drawn.tsx'
import { Icon } from '../parts/icon.tsx'

/** What words of the line stand for, whole; and what that loads in turn, by name only. */
export const ScriptBodies = ({ question: { stands_for, not_shown } }: { question: CommandQuestion }) => (
  <>
    {stands_for.map(one => (
      <ScriptBody key={`${one.path}#${one.name}`} one={one} />
    ))}
    {not_shown.length > 0 && <NotShownFiles files={not_shown} />}
  </>
)

/** The body of a script the line runs, as read when the question was asked. The plan covers it: another body needs approval anew. */
const ScriptBody = ({ one }: { one: CommandQuestion['stands_for'][number] }) => (
  <section class="mt-5" aria-label={`${SCRIPT_KINDS[one.kind]} that it runs`} data-body-of={one.name}>
    <h2 class="label mb-1 flex flex-wrap items-center gap-x-1.5">
      <Icon of={FileText} size={13} /> {SCRIPT_KINDS[one.kind]} <Drawn text={one.name} />
      <span class="font-normal">
        in <Drawn text={one.path} />
      </span>
    </h2>
    <div class="overflow-hidden rounded-xl border border-line bg-panel">
      <CodeView text={one.text} />
    </div>
    {one.omitted_bytes > 0 && <p class="mt-1 text-[13px] font-medium text-open">{omittedWords(one)}</p>}
  </section>
)

const NotShownFiles = ({ files }: { files: CommandQuestion['not_shown'] }) => (
  <section class="mt-5" aria-label={NOT_SHOWN} data-not-shown>
    <h2 class="label mb-1 flex items-center gap-1.5 text-open">
      <Icon of={FileQuestion} size={13} /> {NOT_SHOWN}
    </h2>
    <ul>
      {files.map(file => (
        <li key={`${file.path}#${file.name}`}>
          <code class="font-mono text-[13px]">
            <Drawn text={notShownWords(file)} as="prose" />
          </code>
        </li>
      ))}
    </ul>
  </section>
)
