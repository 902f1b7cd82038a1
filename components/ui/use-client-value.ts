import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** A value that only the browser knows; `server` is what the server renders, and what hydration begins with. */
export const useClientValue = <T>(client: () => T, server: T): T => useSyncExternalStore(never, client, () => server);
