import { sharedTitle } from "@tapedeck/contract/link.ts";
import type { Metadata } from "next";
import type { PageProps } from "#app/page-props.ts";
import { startSecondsOf } from "#components/recordings/player/player-link.ts";
import { SharedPage } from "#components/recordings/share/shared-page.tsx";
import { pageBaseUrl, sharedRecording } from "#lib/server/page-context.ts";

type Props = PageProps<{ token: string }>;

/** The preview that a chat or a wiki shows instead of the link. */
export async function generateMetadata({ params, searchParams }: Props): Promise<Metadata> {
	const { token } = await params;
	const found = await sharedRecording(token);
	const secret = { robots: { index: false, follow: false }, referrer: "no-referrer" } as const;
	if (found === null) return { title: "Tapedeck", ...secret };
	const { recording: shared, failure } = found;
	const at = startSecondsOf((await searchParams).t);
	const page = `${pageBaseUrl()}/shared/${token}${at === 0 ? "" : `?t=${at}`}`;
	const texts = { title: sharedTitle(shared), description: failure ?? "A recording of Tapedeck." };
	const { width, height } = shared;
	return {
		...texts,
		...secret,
		openGraph: {
			...texts,
			type: "video.other",
			url: page,
			siteName: "Tapedeck",
			images: [{ url: shared.pictureUrl, alt: texts.title }],
			videos: [
				{
					url: shared.videoUrl,
					type: shared.contentType,
					...(width === null || height === null ? {} : { width, height }),
				},
			],
		},
		twitter: { card: "summary_large_image", ...texts, images: [shared.pictureUrl] },
		alternates: {
			types: { "application/json+oembed": `${pageBaseUrl()}/v1/oembed?url=${encodeURIComponent(page)}` },
		},
	};
}

export default async function Page({ params, searchParams }: Props) {
	const startSeconds = startSecondsOf((await searchParams).t);
	const found = await sharedRecording((await params).token);
	return <SharedPage recording={found?.recording ?? null} startSeconds={startSeconds} />;
}
