import { Box } from 'lucide'
import { pairedName } from '../../approving/who-asks.ts'
import { Drawn } from './drawn.tsx'
import { Icon } from './icon.tsx'

/** Who it really is: what a client calls itself is its own word, this name is what its key proved. Nothing for your own programs. */
export function ProvedName({ requester }: { requester: string }) {
  const name = pairedName(requester)
  if (name === null) return null
  return (
    <span class="pill pill-plain max-w-40 min-w-0 shrink-0" title={`Paired as ${name}: its key says so`} data-proved>
      <Icon of={Box} size={12} />
      <span class="truncate">
        <Drawn text={name} />
      </span>
    </span>
  )
}
