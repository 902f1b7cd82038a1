/**
 * Toasts, without their cost to the first load: sonner loads with the first toast or the first key or click. Same
 * messages and options as sonner's own `toast`.
 */
import type { ExternalToast } from "sonner";
import { errorMessage } from "#lib/client/api.ts";

type Sonner = typeof import("sonner").toast;
type Kind = "message" | "success" | "info" | "warning" | "error";

/** Null until it is loaded and its list of toasts is on the page. */
let sonner: Sonner | null = null;
let wanted = false;
let waiting: ((loaded: Sonner) => void)[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

/** Loads sonner, so that a toast about the network does not have to wait for the network. */
export function prepareToasts(): void {
	if (wanted) return;
	wanted = true;
	for (const listener of listeners) listener();
}

/** For the `Toaster`: whether sonner is needed by now. */
export const toastsWanted = {
	subscribe(listener: () => void): () => void {
		listeners.add(listener);
		return () => listeners.delete(listener);
	},
	get: (): boolean => wanted,
};

/** Called when sonner's list is on the page; with `null` when it goes. */
export function showToastsWith(loaded: Sonner | null): void {
	sonner = loaded;
	if (loaded === null) return;
	const calls = waiting;
	waiting = [];
	for (const call of calls) call(loaded);
}

function withSonner(call: (loaded: Sonner) => void): void {
	if (sonner === null) {
		waiting.push(call);
		prepareToasts();
	} else call(sonner);
}

/** @returns the toast's id, to dismiss or replace it by. */
function show(kind: Kind, message: string, options?: ExternalToast): string | number {
	lastId += 1;
	const id = options?.id ?? `toast-${lastId}`;
	withSonner((loaded) => loaded[kind](message, { ...options, id }));
	return id;
}

export const toast = Object.assign((message: string, options?: ExternalToast) => show("message", message, options), {
	success: (message: string, options?: ExternalToast) => show("success", message, options),
	info: (message: string, options?: ExternalToast) => show("info", message, options),
	warning: (message: string, options?: ExternalToast) => show("warning", message, options),
	error: (message: string, options?: ExternalToast) => show("error", message, options),
	dismiss: (id: string | number) => withSonner((loaded) => void loaded.dismiss(id)),
});

interface Outcome<T> {
	/** A toast when it is done, or what to do then. */
	done?: string | ((result: T) => void);
	/** Begins the toast of an error: `Couldn't keep the recording.` */
	failed: string;
}

/**
 * Says how a change went that a press of a button began. The callbacks of `mutate` itself are not called any more when
 * that button has left the page before the answer arrives, as it does when the live stream is faster, nor after a second
 * press.
 * @param change `mutateAsync(…)`
 * @returns when it is over, whether it went well or not
 */
export async function toastOutcome<T>(change: Promise<T>, { done, failed }: Outcome<T>): Promise<void> {
	let result: T;
	try {
		result = await change;
	} catch (error) {
		toast.error(`${failed} ${errorMessage(error)}`);
		return;
	}
	if (typeof done === "string") toast.success(done);
	else done?.(result);
}
