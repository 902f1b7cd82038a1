import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { GuidePage } from "#components/docs/guide-page.tsx";
import { pageGuide } from "#lib/server/page-context.ts";

interface Props {
	params: Promise<{ guide: string }>;
}

const guideOf = async ({ params }: Props) => (await pageGuide((await params).guide)) ?? notFound();

export async function generateMetadata(props: Props): Promise<Metadata> {
	return { title: (await guideOf(props)).guide.title };
}

export default async function Guide(props: Props) {
	return <GuidePage {...(await guideOf(props))} />;
}
