export type Environment = Readonly<Record<string, string | undefined>>;

/** The variables of this process; none in a browser. */
export const ownEnvironment = (): Environment => (globalThis as { process?: { env?: Environment } }).process?.env ?? {};
