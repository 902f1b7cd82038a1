import type { Metadata } from "next";
import { SharedPage } from "#components/recordings/shared-page.tsx";
import { sharedRecording } from "#lib/server/page-context.ts";

interface Props {
	params: Promise<{ token: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
	return {
		title: (await sharedRecording((await params).token))?.name ?? "Tapedeck",
		robots: { index: false, follow: false },
		referrer: "no-referrer",
	};
}

export default async function Page({ params }: Props) {
	return <SharedPage recording={await sharedRecording((await params).token)} />;
}
