/** The pages beside questions and terminals, in the order of the list. A question never takes one away from the person. */
export const PAGES = {
  activity: 'Activity',
  history: 'History',
  rules: 'Rules',
  saved: 'Saved',
  status: 'Status',
  settings: 'Settings',
} as const
export type PageName = keyof typeof PAGES
