import { toast } from "sonner";
import { errorMessage } from "#lib/client/api.ts";

export { toast };

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
