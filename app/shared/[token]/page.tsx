import type { Metadata } from "next";
import { startSecondsOf } from "#components/recordings/player/player-link.ts";
import { SharedPage } from "#components/recordings/share/shared-page.tsx";
import { sharedRecording } from "#lib/server/page-context.ts";

interface Props {
	params: Promise<{ token: string }>;
	searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export async function generateMetadata({ params }: Pick<Props, "params">): Promise<Metadata> {
	return {
		title: (await sharedRecording((await params).token))?.name ?? "Tapedeck",
		robots: { index: false, follow: false },
		referrer: "no-referrer",
	};
}

export default async function Page({ params, searchParams }: Props) {
	const startSeconds = startSecondsOf((await searchParams).t);
	return <SharedPage recording={await sharedRecording((await params).token)} startSeconds={startSeconds} />;
}
