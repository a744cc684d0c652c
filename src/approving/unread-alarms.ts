/** One that was not read yet stays beside the next one until it was. */
export const withAlarm = (unread: string | null, message: string): string =>
  unread === null || unread.includes(message) ? (unread ?? message) : `${unread} ${message}`
