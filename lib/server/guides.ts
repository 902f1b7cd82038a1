/** The guides: Markdown of the repository that every dashboard serves as pages and, below `public/docs`, as files. */
import { readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import GithubSlugger from "github-slugger";
import { Marked, type Tokens } from "marked";

export interface Guide {
	/** The last part of its address: `/docs/guides/<name>`, and `/docs/guides/<name>.md` for its Markdown. */
	name: string;
	title: string;
	/** The guide's file in the repository. */
	file: string;
}

const inDocs = (name: string, title: string): Guide => ({ name, title, file: `docs/${name}.md` });
const ofClient = (client: string, title: string): Guide => ({
	name: `client-${client}`,
	title,
	file: `clients/${client}/README.md`,
});

const ofFramework = (framework: string, title: string): Guide => ({
	name: `framework-${framework}`,
	title,
	file: `docs/frameworks/${framework}.md`,
});

/** The guides in the order of the menu. */
export const GUIDES: readonly [Guide, ...Guide[]] = [
	inDocs("finding", "Finding tests"),
	inDocs("ci", "CI"),
	inDocs("cli", "CLI"),
	inDocs("api", "API"),
	inDocs("webhooks", "Webhooks"),
	inDocs("agents", "Agents"),
	inDocs("clients", "Clients"),
	ofClient("typescript", "TypeScript"),
	ofClient("python", "Python and pytest"),
	ofClient("playwright", "Playwright reporter"),
	ofFramework("playwright", "Playwright"),
	ofFramework("pytest", "pytest"),
	ofFramework("junit", "JUnit"),
	ofFramework("testng", "TestNG"),
	ofFramework("robot", "Robot Framework"),
	ofFramework("cypress", "Cypress"),
	ofFramework("webdriverio", "WebdriverIO"),
	ofFramework("dotnet", ".NET"),
	ofFramework("go", "Go"),
	ofFramework("rspec", "RSpec"),
	ofFramework("phpunit", "PHPUnit"),
	inDocs("runner", "Runners"),
	inDocs("selenium", "Selenium"),
	inDocs("video-quality", "Video quality"),
	inDocs("compare", "Compared"),
	inDocs("frametap", "FrameTap"),
	inDocs("figures", "Figures"),
	inDocs("operating", "Operating"),
	inDocs("security", "Security"),
];

/** Files that guides link to, which are served as they are. */
export const GUIDE_FILES: readonly string[] = [
	...[
		"compose.yaml",
		"compose-several.yaml",
		"grafana-dashboard.json",
		"haproxy.cfg",
		"nginx-several.conf",
		"prometheus-alerts.yml",
	].map((name) => `deploy/${name}`),
	...["deploy/kubernetes/podmonitor.yaml", "deploy/kubernetes/prometheus.yml"],
	...["docs/nginx.conf", "docs/openapi.json", "docs/tapedeck-runner.service"],
];

/**
 * @param href a link of a guide, relative to the guide's file.
 * @returns its address on the dashboard; null for what only the repository has.
 */
export function guideAddress(guide: Guide, href: string): string | null {
	if (/^[a-z][a-z+.-]*:/i.test(href) || href.startsWith("#") || href.startsWith("/")) return href;
	const [path = "", fragment] = href.split("#");
	const file = posix.join(posix.dirname(guide.file), path);
	const target = GUIDES.find((each) => each.file === file);
	if (target !== undefined) return `/docs/guides/${target.name}${fragment === undefined ? "" : `#${fragment}`}`;
	if (file.startsWith("docs/screenshots/")) return `/docs/guides/${file.slice("docs/".length)}`;
	return GUIDE_FILES.includes(file) ? `/docs/files/${file}` : null;
}

/**
 * @param rootDir the repository's folder. @param name of a guide. @returns the guide as HTML; null if there is none of
 *   this name.
 */
export async function readGuide(rootDir: string, name: string): Promise<{ guide: Guide; html: string } | null> {
	const guide = GUIDES.find((each) => each.name === name);
	return guide === undefined
		? null
		: { guide, html: guideHtml(guide, await readFile(join(rootDir, guide.file), "utf8")) };
}

/** @returns a guide as HTML, with ids for its headings as on GitHub. Guides are our own text, so their HTML is trusted. */
export function guideHtml(guide: Guide, markdown: string): string {
	const slugger = new GithubSlugger();
	const marked = new Marked({
		renderer: {
			heading({ tokens, depth, text }: Tokens.Heading) {
				const plain = text.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[`*]/g, "");
				return `<h${depth} id="${slugger.slug(plain)}">${this.parser.parseInline(tokens)}</h${depth}>`;
			},
			link({ href, tokens }: Tokens.Link) {
				const address = guideAddress(guide, href);
				const words = this.parser.parseInline(tokens);
				return address === null ? words : `<a href="${address}">${words}</a>`;
			},
			image({ href, text }: Tokens.Image) {
				return `<img src="${guideAddress(guide, href) ?? href}" alt="${text}" loading="lazy">`;
			},
			// Wide tables and code scroll by themselves. A section without a name is no landmark: guides have many tables.
			table(token: Tokens.Table) {
				const cell = (tag: string, { tokens }: Tokens.TableCell, scope = "") =>
					`<${tag}${scope}>${this.parser.parseInline(tokens)}</${tag}>`;
				const row = (cells: string[]) => `<tr>${cells.join("")}</tr>`;
				const head = row(token.header.map((one) => cell(one.text === "" ? "td" : "th", one)));
				// Below an empty corner are the heads of the rows.
				const first = (one: Tokens.TableCell) =>
					token.header[0]?.text === "" ? cell("th", one, ' scope="row"') : cell("td", one);
				const rows = token.rows
					.map((cells) => row(cells.map((one, index) => (index === 0 ? first(one) : cell("td", one)))))
					.join("");
				return `<section tabindex="0"><table><thead>${head}</thead><tbody>${rows}</tbody></table></section>`;
			},
			code({ text }: Tokens.Code) {
				return `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>`;
			},
		},
	});
	return marked.parse(markdown, { async: false });
}

const escapeHtml = (text: string): string =>
	text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
