/** What a terminal can be asked to speak; system: the person's own shell. */
export const PROFILES = ['powershell', 'pwsh', 'cmd', 'bash', 'zsh', 'fish', 'sh', 'system'] as const
export type Profile = (typeof PROFILES)[number]
