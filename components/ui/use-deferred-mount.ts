"use client";

import { useDeferredValue } from "react";

/**
 * False in the first render of the caller, true once that render is on the screen. Work that can wait, such as
 * refetching data that is already shown, then does not delay the response to a key or click.
 */
export const useDeferredMount = (): boolean => useDeferredValue(true, false);
