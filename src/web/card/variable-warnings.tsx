import { TriangleAlert } from 'lucide'
import { type Variable, variableWarnings } from '../../approving/variables.ts'
import { Drawn } from '../parts/drawn.tsx'
import { Banner } from './banner.tsx'

/** Variables that decide what runs, each by its name: a line that looks harmless may do anything with them. */
export function VariableWarnings({ env }: { env: readonly Variable[] }) {
  const warnings = variableWarnings(env)
  if (warnings.length === 0) return null
  return (
    <Banner tone="open" icon={TriangleAlert}>
      <ul data-variable-warnings>
        {warnings.map(({ name, does }) => (
          <li key={name}>
            <code class="font-mono text-[13px] font-semibold">
              <Drawn text={name} />
            </code>{' '}
            {does}.
          </li>
        ))}
      </ul>
    </Banner>
  )
}
