/** What both ends sign while a page is admitted by a code (contract/window/window-code.ts). Apart: the page loads this and no schema. */
export const CODE_PAGE_VERSION = 1

/** What stands for the connection: a page cannot see the one it speaks over. */
export const bindingText = (origin: string, pageKey: string, hostKey: string): string =>
  `interactive-terminal code binding ${origin} ${pageKey} ${hostKey}`
/** Hashed, not keyed: the binding in it is. */
export const checkText = (nonce: string, opening: string, binding: string): string =>
  `interactive-terminal code ${nonce} ${opening} ${binding}`
export const commitmentText = (opening: string): string => `opening ${opening}`
export const enteredText = (secret: string): string => `interactive-terminal code entered ${secret}`
export const ticketText = (ticketId: string, origin: string): string =>
  `interactive-terminal code ticket ${ticketId} ${origin}`
