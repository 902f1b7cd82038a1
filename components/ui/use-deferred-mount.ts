"use client";

import { useDeferredValue } from "react";

/**
 * False in the first render of the caller, true once that is on the screen: what can wait, such as refetching data that
 * is shown already, does not delay the response to a key or click.
 */
export const useDeferredMount = (): boolean => useDeferredValue(true, false);
