import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** A value that only the browser knows. `server` is the value for the server's rendering and for hydration. */
export const useClientValue = <T>(client: () => T, server: T): T => useSyncExternalStore(never, client, () => server);
