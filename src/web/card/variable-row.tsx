import { useState } from 'preact/hooks'
import { isSecret, MASK } from '../../approving/variables.ts'
import { Drawn } from '../parts/drawn.tsx'
import type { CommandQuestion } from '../state/card.ts'

/** A variable that the request sets. What looks like a secret stays masked until the person wants to see it. */
export function VariableRow({ variable }: { variable: CommandQuestion['env'][number] }) {
  const { name, value, carried } = variable
  const [revealed, reveal] = useState(false)
  const hides = isSecret(variable)
  const masked = hides && !revealed
  return (
    <li data-variable={name}>
      <code class="font-mono text-[13px]">
        {masked ? (
          <>
            <Drawn text={`${name}=`} />
            <span class="text-soft">{MASK}</span>
          </>
        ) : (
          <Drawn text={value === null ? name : `${name}=${value}`} />
        )}
      </code>
      {hides && (
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
      {value === null && ' is unset'}
      {carried && <span class="text-soft"> kept from earlier commands</span>}
    </li>
  )
}
