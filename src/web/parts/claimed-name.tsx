import { Drawn } from './drawn.tsx'

/** What a client calls itself, in quotes: its own claim. Quotes in the name are drawn by their names, so it cannot end them. */
export const ClaimedName = ({ of: { client, requester } }: { of: { client: string; requester: string } }) =>
  client === '' ? (
    <Drawn text={requester} />
  ) : (
    <>
      “<Drawn text={client} />”
    </>
  )
