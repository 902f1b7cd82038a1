/** Selenium Grid 4 from Maven Central, Selenium's Python client, schemathesis and moto from PyPI, all under .cache. */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Remedy } from "./remedy.mjs";
import { lastLines, root, run, say } from "./run.mjs";

const GRID_VERSION = "4.40.0";
const CLIENT_VERSION = "4.40.0";
const SCHEMATHESIS_VERSION = "4.32.5";
const MOTO_VERSION = "5.2.5";
const PLUGIN_VERSION = "3.8.1";

/** Folder of the jars; `java -cp '<folder>/*' org.openqa.selenium.grid.Bootstrap` runs them. */
export const gridFolder = join(root, ".cache", `selenium-grid-${GRID_VERSION}`);
/** The Python that has the client. */
export const clientPython = join(root, ".cache", `selenium-client-${CLIENT_VERSION}`, "bin", "python");
/** The Python that has schemathesis. */
export const schemathesisPython = join(root, ".cache", `schemathesis-${SCHEMATHESIS_VERSION}`, "bin", "python");
/** The Python that has moto, a server that behaves as Amazon S3 does. */
export const motoPython = join(root, ".cache", `moto-${MOTO_VERSION}`, "bin", "python");

const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>tapedeck</groupId><artifactId>grid-for-tests</artifactId><version>1</version>
  <dependencies>
    <dependency>
      <groupId>org.seleniumhq.selenium</groupId><artifactId>selenium-grid</artifactId><version>${GRID_VERSION}</version>
    </dependency>
  </dependencies>
</project>
`;

/** Puts selenium-grid and everything it needs into gridFolder, once. */
export async function ensureGrid4() {
	const done = join(gridFolder, ".complete");
	if (existsSync(done)) return;
	say(`Downloading Selenium Grid ${GRID_VERSION} from Maven Central …`);
	rmSync(gridFolder, { recursive: true, force: true });
	mkdirSync(gridFolder, { recursive: true });
	const pomFile = join(gridFolder, "pom.xml");
	writeFileSync(pomFile, pom);
	const goal = [
		`org.apache.maven.plugins:maven-dependency-plugin:${PLUGIN_VERSION}:copy-dependencies`,
		`-DoutputDirectory=${gridFolder}`,
		"-DincludeScope=runtime",
	];
	const { code, output } = await run("mvn", ["-B", "-q", "-f", pomFile, ...goal], { quiet: true });
	if (code !== 0 || !readdirSync(gridFolder).some((name) => name.startsWith("selenium-grid"))) {
		throw new Remedy(
			`Maven could not download Selenium Grid. Check the network, then start again:\n${lastLines(output)}`,
		);
	}
	writeFileSync(done, "");
}

/** Makes a virtual environment with Selenium's client in it, once. */
export const ensureSeleniumClient = () =>
	ensurePythonPackage(clientPython, `selenium==${CLIENT_VERSION}`, "Selenium's Python client");

/** Makes a virtual environment with schemathesis in it, once. */
export const ensureSchemathesis = () =>
	ensurePythonPackage(schemathesisPython, `schemathesis==${SCHEMATHESIS_VERSION}`, "Schemathesis");

/** Makes a virtual environment with moto in it, once. */
export const ensureMoto = () => ensurePythonPackage(motoPython, `moto[s3,server]==${MOTO_VERSION}`, "Moto");

async function ensurePythonPackage(python, wanted, name) {
	const folder = join(python, "..", "..");
	const done = join(folder, ".complete");
	if (existsSync(done)) return;
	say(`Installing ${name} (${wanted}) …`);
	rmSync(folder, { recursive: true, force: true });
	for (const [program, args] of [
		["python3", ["-m", "venv", folder]],
		[python, ["-m", "pip", "install", "--quiet", wanted]],
	]) {
		const { code, output } = await run(program, args, { quiet: true });
		if (code !== 0)
			throw new Remedy(`${name} could not be installed. Fix the error, then start again:\n${lastLines(output)}`);
	}
	writeFileSync(done, "");
}
