import { toast } from "#components/ui/toast.ts";
import { call, wordsOf } from "#lib/client/api.ts";

/** Shows another organization of the person's, from its first page on: everything on this one is the other's. */
export async function switchOrganization(organizationId: number): Promise<void> {
	try {
		await call("POST", "/api/auth/organization/set-active", { body: { organizationId: String(organizationId) } });
		location.assign("/jobs");
	} catch (error) {
		toast.error(wordsOf(error));
	}
}
