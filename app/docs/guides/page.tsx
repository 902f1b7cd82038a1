import { redirect } from "next/navigation";
import { firstGuide } from "#lib/server/page-context.ts";

export default function Guides() {
	redirect(`/docs/guides/${firstGuide()}`);
}
