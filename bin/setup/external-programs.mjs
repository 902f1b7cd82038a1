/** Selenium Grid 4 from Maven Central; Selenium's Python client, schemathesis, moto and what ours needs from PyPI. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
/** What the tests of our own Python package need, by exact version. */
const requirements = join(root, "clients", "python", "requirements-dev.txt");
const requirementsHash = createHash("sha256").update(readFileSync(requirements)).digest("hex").slice(0, 12);
/** The Python of these tests. */
export const packagePython = join(root, ".cache", `python-package-${requirementsHash}`, "bin", "python");

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
	ensurePythonPackages(clientPython, [`selenium==${CLIENT_VERSION}`], "Selenium's Python client");

/** Makes a virtual environment with schemathesis in it, once. */
export const ensureSchemathesis = () =>
	ensurePythonPackages(schemathesisPython, [`schemathesis==${SCHEMATHESIS_VERSION}`], "Schemathesis");

/** Makes a virtual environment with moto in it, once. */
export const ensureMoto = () => ensurePythonPackages(motoPython, [`moto[s3,server]==${MOTO_VERSION}`], "Moto");

/** Makes a virtual environment for the tests of our Python package, once for each version of its requirements. */
export const ensurePythonTests = () =>
	ensurePythonPackages(packagePython, ["-r", requirements], "What the tests of the Python client need");

async function ensurePythonPackages(python, wanted, name) {
	const folder = join(python, "..", "..");
	const done = join(folder, ".complete");
	if (existsSync(done)) return;
	say(`Installing ${name} (${wanted.join(" ")}) …`);
	rmSync(folder, { recursive: true, force: true });
	for (const [program, args] of [
		["python3", ["-m", "venv", folder]],
		[python, ["-m", "pip", "install", "--quiet", ...wanted]],
	]) {
		const { code, output } = await run(program, args, { quiet: true });
		if (code !== 0)
			throw new Remedy(`${name} could not be installed. Fix the error, then start again:\n${lastLines(output)}`);
	}
	writeFileSync(done, "");
}
