/** Through what an agent calls, in the words of its client. */
export const CALLER_SURFACES = ['server', 'extension', 'dashboard', 'chat_button'] as const
export type CallerSurface = (typeof CALLER_SURFACES)[number]
