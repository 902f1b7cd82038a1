/** Which boot of the machine this is: times since the boot mean something only within the same one. */
import { readFileSync } from "node:fs";

let known: string | undefined;

/** Changes whenever the machine boots; empty where the system does not say. */
export function bootId(): string {
	try {
		known ??= readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
	} catch {
		known = "";
	}
	return known;
}
