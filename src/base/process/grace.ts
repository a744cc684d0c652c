/** How long ends may take: of a command, of the host, of a server. Longer than a setting allows is never waited for. */

/** A tree, when the host ends: `PM_TERM_KILL_GRACE_MS` at most. */
export const HOST_FINAL_GRACE_MS = 1500
/** A tree, when a server ends: clients that close stdin force its end 2 s later, and the children must be gone by then. */
export const SERVER_FINAL_GRACE_MS = 500
/** A host that was launched and is not wanted, between the request to end and the force. */
export const LAUNCHED_HOST_GRACE_MS = 1000

/** Beyond the grace of a tree: until the owner of the terminals has ended it, else it is ended itself. */
export const OWNER_KILLS_WITHIN_MS = 3000
/** Beyond the grace: until pty-host itself is gone. */
export const PTY_HOST_GONE_WITHIN_MS = 3000

/** A tree that is gone has still to be seen to have ended: by the host that ends … */
export const ENDS_SEEN_WITHIN_MS = 5000
/** … by whoever asked the host to kill it … */
export const KILL_SEEN_WITHIN_MS = 2000
/** … and by a server: far more than the grace and the forced rounds of kill-tree take. */
export const SERVER_SEES_KILL_WITHIN_MS = 70_000
