import "./guide.css";
import { ReferenceHeader } from "./reference-header.tsx";

interface Named {
	name: string;
	title: string;
}

interface Props {
	guide: Named;
	/** The repository's own text. */
	html: string;
	guides: readonly Named[];
}

/** A guide with the menu of all guides. */
export function GuidePage({ guide, html, guides }: Props) {
	return (
		<div className="min-h-dvh bg-surface">
			<ReferenceHeader />
			<div className="mx-auto flex max-w-6xl flex-col gap-x-10 px-4 py-4 md:flex-row md:px-6">
				<nav aria-label="Guides" className="mb-4 md:sticky md:top-16 md:mb-0 md:w-44 md:shrink-0 md:self-start">
					<ul className="flex flex-wrap gap-x-3 md:flex-col">
						{guides.map(({ name, title }) => (
							<li key={name}>
								<a
									href={`/docs/guides/${name}`}
									aria-current={name === guide.name ? "page" : undefined}
									className="block py-1 text-sm text-muted hover:text-ink hover:underline aria-[current]:font-medium aria-[current]:text-ink"
								>
									{title}
								</a>
							</li>
						))}
					</ul>
				</nav>
				<main className="min-w-0 flex-1 pb-16">
					{/* biome-ignore lint/security/noDangerouslySetInnerHtml: the repository's own text */}
					<article className="guide" dangerouslySetInnerHTML={{ __html: html }} />
					<p className="mt-8 border-t border-line pt-3 text-sm">
						<a href={`/docs/guides/${guide.name}.md`} className="text-accent hover:underline">
							This guide as Markdown
						</a>
					</p>
				</main>
			</div>
		</div>
	);
}
