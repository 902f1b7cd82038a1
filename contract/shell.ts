/** Quotes a string for a POSIX shell. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
