interface Answer {
  readonly texts: readonly string[]
  readonly text: string
  readonly isError: boolean
}
interface Outcome {
  readonly exitCode?: number | undefined
  readonly signal?: string | undefined
  readonly stdout: string
  readonly stderr: string
  readonly handle?: unknown
}
interface Call<T> {
  readonly tool: string
  readonly read: (answer: Answer, known: object) => T
}
export const PEERS: readonly {
  readonly name: string
  readonly version: string
  readonly run?: Call<Outcome>
  readonly exit?: Call<number | undefined>
  readonly begin?: Call<unknown>
  readonly more?: Call<object>
  readonly ending?: (all: string) => Outcome | null
}[]
