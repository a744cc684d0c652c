/** Variables that say where something can be shown. */
export type ScreenEnv = Readonly<Record<string, string>>

/** What came of showing the window. */
export interface Shown {
  readonly shown: boolean
  readonly message: string
  /** no_screen: there may be one where a person is. */
  readonly reason?: typeof NO_SCREEN
}

export const NO_SCREEN = 'no_screen'
