"use client";

import { useDeferredValue } from "react";

/**
 * False in the first drawing of whoever asks, true once that is on the screen: what can wait, such as a fetch of what is
 * shown already, takes nothing from the answer to the key or click.
 */
export const useSettled = (): boolean => useDeferredValue(true, false);
