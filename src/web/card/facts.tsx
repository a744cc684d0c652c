import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { type Fact, type FactValue, factsOf, isDetail } from '../../approving/facts.ts'
import type { CommandQuestion } from '../../approving/question.ts'
import { MASK } from '../../approving/variables.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { Drawn } from '../parts/drawn.tsx'

/** Where it would run, and with what; programs and shell are among the details. */
export const Facts = ({ question, which }: { question: CommandQuestion; which: 'shown' | 'details' }) => (
  <dl class="mt-4 grid grid-cols-[max-content_1fr] gap-x-5 gap-y-2 phone:grid-cols-1 phone:gap-y-0.5">
    {factsOf(question)
      .filter(fact => isDetail(fact) === (which === 'details'))
      .map(fact => (
        <Row key={fact.id} name={fact.label}>
          <Values fact={fact} kind={question.project.kind} />
          {fact.note !== undefined && <span class="text-soft">{fact.note}</span>}
        </Row>
      ))}
  </dl>
)

function Values({ fact: { id, values }, kind }: { fact: Fact; kind: CommandQuestion['project']['kind'] }) {
  const marks = {
    project: { 'data-project': kind },
    variables: { 'data-env': '' },
    found_when_run: { 'data-found-when-run': '' },
  }
  return (
    <ul {...(id in marks && marks[id as keyof typeof marks])}>
      {values.map(value =>
        id === 'variables' ? (
          <Variable key={value.text} value={value} />
        ) : (
          <li key={value.text}>
            <span {...(id === 'directory' && { 'data-cwd': '' })}>
              <Value value={value} exact={id === 'directory' || id === 'programs'} />
            </span>
            {id === 'directory' && (
              <span class="-my-2 ml-1.5 inline-block align-middle">
                <CopyButton text={value.text} what="directory" inline />
              </span>
            )}
          </li>
        ),
      )}
    </ul>
  )
}

const TONES: Readonly<Record<FactValue['tone'], string>> = {
  code: 'font-mono text-[13px]',
  plain: '',
  quiet: 'text-soft',
}

function Value(props: { value: FactValue; exact?: boolean; mask?: boolean }) {
  const { text, tone, remark } = props.value
  return (
    <>
      <span class={TONES[tone]}>
        <Drawn text={text} exact={props.exact ?? false} />
        {props.mask && <span class="text-soft">{MASK}</span>}
      </span>
      {remark !== undefined && (
        <span class="text-soft">
          {' '}
          <Drawn text={remark} exact />
        </span>
      )}
    </>
  )
}

/** A variable that the request sets. What looks like a secret stays masked until the person wants to see it. */
function Variable({ value }: { value: FactValue }) {
  const [revealed, reveal] = useState(false)
  const { beforeMask } = value
  const isMasked = beforeMask !== undefined && !revealed
  return (
    <li data-variable={value.text.split('=', 1)[0]}>
      <Value value={isMasked ? { ...value, text: beforeMask } : value} mask={isMasked} />
      {beforeMask !== undefined && (
        <button
          type="button"
          class="ghost -my-1 ml-1.5 text-[12px]"
          aria-label={revealed ? 'Hide the value' : 'Show the value'}
          onClick={() => reveal(!revealed)}
          data-reveal
        >
          {revealed ? 'Hide' : 'Show'}
        </button>
      )}
    </li>
  )
}

const Row = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <>
    <dt class="text-soft phone:mt-2 phone:text-[12px]">{name}</dt>
    <dd class="min-w-0">{children}</dd>
  </>
)
