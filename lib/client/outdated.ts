/** Numbers that follow changes at a distance: live updates mark them as outdated, and they are fetched again a moment later. */
import type { Query } from "@tanstack/react-query";

/** Jobs and recordings change all the time while tests run: what is counted of them follows at most this often. */
const FETCH_AGAIN_MS = 2_000;

/** The `refetchInterval` of a query that live updates invalidate with `refetchType: "none"`. */
export const whenOutdated = ({ state }: Pick<Query, "state">) => (state.isInvalidated ? FETCH_AGAIN_MS : false);
