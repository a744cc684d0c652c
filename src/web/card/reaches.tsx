import { Radar } from 'lucide'
import type { CommandQuestion } from '../../approving/question.ts'
import { REACHES, reachRows } from '../../approving/reach-words.ts'
import { Drawn } from '../parts/drawn.tsx'
import { Banner } from './banner.tsx'

/** Whom and what the command reaches beyond the project, right below it. */
export function Reaches({ question: { reaches, grave } }: { question: Pick<CommandQuestion, 'reaches' | 'grave'> }) {
  if (reaches.length === 0) return null
  return (
    <Banner tone={grave ? 'grave' : 'open'} icon={Radar}>
      <strong>{REACHES}</strong>
      <ul data-reaches>
        {reachRows(reaches).map(words => (
          <li key={words}>
            <Drawn text={words} as="prose" />
          </li>
        ))}
      </ul>
    </Banner>
  )
}
