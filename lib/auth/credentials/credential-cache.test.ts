import { expect, test, vi } from "vitest";
import { CredentialCache } from "./credential-cache.ts";

test("open calls of the same caller share one check, and each hears once that access is lost", async () => {
	const credentials = new CredentialCache();
	let isRevoked = false;
	const hasAccess = vi.fn(async () => !isRevoked);
	const [first, second, ended, other] = [vi.fn(), vi.fn(), vi.fn(), vi.fn()];
	credentials.watch("runner token 1", hasAccess, first);
	credentials.watch("runner token 1", hasAccess, second);
	credentials.watch("runner token 1", hasAccess, ended)();
	credentials.watch("runner token 2", async () => true, other);

	credentials.forget();
	expect(hasAccess).toHaveBeenCalledTimes(1);
	isRevoked = true;
	credentials.forget();
	credentials.forget();
	await expect.poll(() => first).toHaveBeenCalled();
	await new Promise((resolve) => setImmediate(resolve));
	expect([first, second, ended, other].map((listener) => listener.mock.calls.length)).toEqual([1, 1, 0, 0]);
});

test("a call that begins after its caller lost access is watched anew", async () => {
	const credentials = new CredentialCache();
	const [before, after] = [vi.fn(), vi.fn()];
	const end = credentials.watch("api key 1", async () => false, before);
	credentials.forget();
	await expect.poll(() => before).toHaveBeenCalled();
	let isRevoked = false;
	credentials.watch("api key 1", async () => !isRevoked, after);
	// The end of the earlier watch must not end this one.
	end();
	isRevoked = true;
	credentials.forget();
	await expect.poll(() => after).toHaveBeenCalledTimes(1);
});
