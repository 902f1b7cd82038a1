/** Identifies the boot of the machine: times since the boot are comparable only within the same boot. */
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
