import { toast } from "sonner";
import { errorMessage } from "#lib/client/api.ts";

export { toast };

interface Outcome<T> {
	/** The toast after success, or a function to call instead. */
	done?: string | ((result: T) => void);
	/** Begins the toast of an error: `Couldn't keep the recording.` */
	failed: string;
}

/**
 * Shows the result of a change that was started by a button. The callbacks of `mutate` itself are not called if the
 * button has been removed before the response arrives, as happens when the live stream is faster, nor after a second
 * press.
 * @param change `mutateAsync(…)`
 * @returns when the change has succeeded or failed
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
