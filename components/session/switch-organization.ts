import { toast } from "#components/ui/toast.ts";
import { call, wordsOf } from "#lib/client/api.ts";
import { tellTabs } from "./leave.ts";

/** Shows another organization of the person's, in every tab. */
export async function switchOrganization(organizationId: number): Promise<void> {
	try {
		await call("POST", "/api/auth/organization/set-active", { body: { organizationId: String(organizationId) } });
		tellTabs("switched");
		showOrganization();
	} catch (error) {
		toast.error(wordsOf(error));
	}
}

/** Loads this page anew for the organization that is shown now; a job or recording of the other gives way to its list. */
export function showOrganization(): void {
	const { pathname } = location;
	location.assign(pathname.startsWith("/settings") ? pathname : `/${pathname.split("/")[1] ?? ""}`);
}
