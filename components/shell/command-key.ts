/** What the reader's keyboard calls the key that commands are given with. For the browser only. */
export const commandKey = (): string => (/Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘" : "Ctrl");
