import { Fragment } from 'preact'
import { BETWEEN, nameParts } from '../../contract/terminal-name.ts'
import { Drawn } from './drawn.tsx'

/** What a terminal is called: the words of agents and folders drawn, the sign between them our own. */
export const TerminalName = ({ name }: { name: string }) => (
  <>
    {nameParts(name).map((part, i) => (
      <Fragment key={i}>
        {i > 0 && BETWEEN}
        <Drawn text={part} />
      </Fragment>
    ))}
  </>
)
