import type { ComponentChildren } from 'preact'
import { CopyButton } from '../parts/copy-button.tsx'
import { Drawn } from '../parts/drawn.tsx'
import { inWords } from '../parts/waits.tsx'
import type { CommandQuestion } from '../state/card.ts'
import { VariableRow } from './variable-row.tsx'

/** Where it would run, and with what. */
export function Facts({ question: q }: { question: CommandQuestion }) {
  return (
    <dl class="mt-5 grid grid-cols-[max-content_1fr] gap-x-5 gap-y-2 phone:grid-cols-1 phone:gap-y-0.5">
      <Fact name="Directory">
        <code class="font-mono text-[13px]" data-cwd>
          <Drawn text={q.cwd} exact />
        </code>
        <span class="-my-2 ml-1.5 inline-block align-middle">
          <CopyButton text={q.cwd} what="directory" inline />
        </span>
      </Fact>
      <Fact name="Project">
        <ProjectName project={q.project} />
      </Fact>
      {q.env.length > 0 && (
        <Fact name="Variables">
          <ul data-env>
            {q.env.map(variable => (
              <VariableRow key={variable.name} variable={variable} />
            ))}
          </ul>
        </Fact>
      )}
      <Fact name="Shell">
        {q.typed_into_shell && 'your own '}
        {q.args === null || q.intent === 'open_only' ? <Drawn text={q.shell} /> : <span class="text-soft">none</span>}
        {q.typed_into_shell && ', as it stands now'}
        {q.venv !== null && (
          <span>
            {' '}
            with virtualenv <Drawn text={q.venv} />
          </span>
        )}
      </Fact>
      {q.executables.length > 0 && (
        <Fact name="Programs">
          <ul>
            {[...new Set(q.executables)].map(path => (
              <li key={path}>
                <code class="font-mono text-[13px]">
                  <Drawn text={path} exact />
                </code>
              </li>
            ))}
          </ul>
        </Fact>
      )}
      {q.found_when_run.length > 0 && (
        <Fact name="Found when it runs">
          <ul data-found-when-run>
            {q.found_when_run.map(word => (
              <li key={word}>
                <code class="font-mono text-[13px]">
                  <Drawn text={word} />
                </code>
              </li>
            ))}
          </ul>
          <span class="text-soft">Nobody can say yet which programs these are.</span>
        </Fact>
      )}
      {q.kill_after_ms !== null && <Fact name="Ends">killed after {inWords(q.kill_after_ms)}, if it still runs</Fact>}
    </dl>
  )
}

function ProjectName({ project: { kind, id, directory, trusted, why_not } }: Pick<CommandQuestion, 'project'>) {
  const why = why_not === null ? '' : `nothing can be kept here: ${why_not}`
  return (
    <span data-project={kind}>
      {kind === 'bound' ? (
        <>
          <Drawn text={id ?? ''} />{' '}
          <span class="text-soft">
            {trusted ? 'trusted' : 'not trusted'}, <Drawn text={directory} exact />
          </span>
        </>
      ) : (
        <span class="text-soft">{kind === 'offered' ? 'none yet' : 'none'}</span>
      )}
      {why !== '' && (
        <span class="text-soft">
          {kind === 'bound' ? '; ' : ': '}
          <Drawn text={why} />
        </span>
      )}
    </span>
  )
}

const Fact = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <>
    <dt class="text-soft phone:mt-2 phone:text-[12px]">{name}</dt>
    <dd class="min-w-0">{children}</dd>
  </>
)
