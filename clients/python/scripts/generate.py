"""Writes ``types.py`` from the dashboard's OpenAPI document.

    python scripts/generate.py <openapi.json> [--check]

The document is that of ``GET /v1/openapi.json``. With ``--check``, nothing is written, and the status is 1 if the file
would change.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "tapedeck"

# Types that the client takes and returns; schemas that these refer to are included.
NAMED = [
    *("CreateJob", "UpdateJob", "Job", "JobEvent", "Marker", "MarkerList", "Privacy", "Recording", "UpdateRecording"),
    *("CreateJobMarkers", "CreateRecordingMarkers"),
    *("CreateTestRun", "EndTestRun", "TestRun", "TestRunDetail"),
    *("NewTestResult", "TestResult", "TestResultDetail", "TestResultList", "TestHistory", "ListedTest", "Attachment"),
    *("AppendedTrack", "Track", "TrackList", "TrackLine"),
    *("Build", "BuildEnd", "BuildReport", "FinishBuild", "DecideGate", "Gate"),
    *("CreateWebhook", "UpdateWebhook", "NewWebhook", "WebhookPage", "WebhookDelivery", "WholeWebhookDelivery"),
    *("CreateSchedule", "Schedule", "SchedulePage"),
    *("NewShareLink", "SignedUrl", "Runner", "Storage", "Fault"),
]
# Names of enumerations that the document has inline, by their first two values.
ENUMS = {
    **{("passed", "failed"): "Outcome", ("always", "failed"): "Keep", ("ok", "black"): "Verdict"},
    **{("duration_elapsed", "cancelled"): "StopReason", ("queued", "starting"): "JobStatus"},
    **{("balanced", "sharp"): "VideoPreset", ("live", "ready"): "RecordingState"},
    **{("online", "offline"): "RunnerState", ("ok", "full"): "StorageState"},
    ("job.ended", "recording.ready"): "WebhookEvent",
}
# Fields that all of these types have become a type that they extend, which programs can name, too.
BASES = {
    "JobFields": r"(Duration|Interrupt|SeleniumIdle|SeleniumSession|Screenshot|FileUpload)Job",
    "CreateRecordingFields": r"Create(Duration|Interrupt|SeleniumIdle|SeleniumSession)Job",
    "ScheduledRecordingFields": r"Scheduled(Duration|Interrupt|SeleniumIdle|SeleniumSession)Job",
}
# Types that repeat all fields of another one.
EXTENDED = {
    **{"TestResultDetail": "TestResult", "TestRunDetail": "TestRun"},
    **{"NewWebhook": "Webhook", "WholeWebhookDelivery": "WebhookDelivery"},
}
FILTERS = {
    **{"JobFilter": "/v1/jobs", "RecordingFilter": "/v1/recordings", "RunnerFilter": "/v1/runners"},
    **{"TestFilter": "/v1/tests", "TestHistoryFilter": "/v1/test-history"},
    **{"TestSummaryFilter": "/v1/test-summaries", "TestRunFilter": "/v1/test-runs"},
    "DeliveryFilter": "/v1/webhooks/{webhookId}/deliveries",
    "TrackFilter": "/v1/jobs/{jobId}/tracks/{name}",
}


def main() -> int:
    document = json.loads(Path(sys.argv[1]).read_text())
    with tempfile.TemporaryDirectory() as folder:
        types = types_of(document, Path(folder))
    target = PACKAGE / "types.py"
    if "--check" not in sys.argv:
        target.write_text(types)
    elif target.read_text() != types:
        print(f"{target.relative_to(ROOT)} is not up to date. Run scripts/generate.py with the current document.")
        return 1
    return 0


def types_of(document: dict[str, Any], folder: Path) -> str:
    schemas: dict[str, Any] = {}
    for name in NAMED:
        include(name, document["components"]["schemas"], schemas)
    schemas.update({name: filter_of(document, path) for name, path in FILTERS.items()})
    hoisted: dict[str, Any] = {}
    schemas = extended({**simplified(schemas, hoisted), **hoisted})
    source, target = folder / "openapi.json", folder / "types.py"
    source.write_text(json.dumps({"openapi": "3.1.0", "paths": {}, "components": {"schemas": schemas}}))
    options = [
        *("--input-file-type", "openapi", "--output-model-type", "typing.TypedDict"),
        *("--target-python-version", "3.10", "--use-union-operator", "--use-standard-collections"),
        *("--enum-field-as-literal", "all", "--disable-timestamp", "--formatters", "builtin"),
        "--reuse-model",
        *("--custom-file-header", '"""Shapes of the API. Written by scripts/generate.py."""'),
    ]
    command = [sys.executable, "-m", "datamodel_code_generator", "--input", str(source), "--output", str(target)]
    subprocess.run([*command, *options], check=True)
    return formatted(target.read_text())


def include(name: str, schemas: dict[str, Any], included: dict[str, Any]) -> None:
    if name in included:
        return
    included[name] = schemas[name]
    for other in re.findall(r'"#/components/schemas/(\w+)"', json.dumps(schemas[name])):
        include(other, schemas, included)


def filter_of(document: dict[str, Any], path: str) -> dict[str, Any]:
    of_query = [each for each in document["paths"][path]["get"]["parameters"] if each["in"] == "query"]
    parameters = [each for each in of_query if each["name"] != "organizationId"]
    return {"type": "object", "properties": {each["name"]: each["schema"] for each in parameters}}


def simplified(schema: Any, hoisted: dict[str, Any], name: str = "") -> Any:
    """Without what a TypedDict can't say, and with references to what the document has inline.

    :param hoisted: gets what is referred to, by its name.
    """
    if isinstance(schema, list):
        return [simplified(each, hoisted, name) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return {"$ref": schema["$ref"]}
    dropped = {"examples", "discriminator", "default", "propertyNames"}
    # Later versions may add fields.
    if schema.get("additionalProperties") is False:
        dropped.add("additionalProperties")
    # The same selector is sent and returned.
    is_selector = name == "selector" and "properties" in schema
    if is_selector:
        dropped |= {"required", "description"}
    result = {
        key: simplified(value, hoisted, name if key == "anyOf" else key)
        for key, value in schema.items()
        if key not in dropped
    }
    title = "Selector" if is_selector else ENUMS.get(tuple(schema.get("enum", ())[:2]))
    if title is None:
        return result
    if hoisted.setdefault(title, result) != result:
        raise SystemExit(f"{title} has become two different shapes. Name them apart in scripts/generate.py.")
    return {"$ref": f"#/components/schemas/{title}"}


def extended(schemas: dict[str, Any]) -> dict[str, Any]:
    """With one type for the fields that the types of BASES and EXTENDED would repeat."""
    result = dict(schemas)
    bases = dict(EXTENDED)
    for base, pattern in BASES.items():
        members = [name for name in schemas if re.fullmatch(pattern, name)]
        first = schemas[members[0]]
        result[base] = only(first, common([schemas[name] for name in members]))
        bases.update(dict.fromkeys(members, base))
    for name, base in bases.items():
        repeated = set(result[base]["properties"])
        if common([result[base], schemas[name]]) != repeated:
            raise SystemExit(f"{name} no longer has all fields of {base}. Change EXTENDED in scripts/generate.py.")
        own = only(schemas[name], set(schemas[name]["properties"]) - repeated)
        result[name] = {"allOf": [{"$ref": f"#/components/schemas/{base}"}, own]}
    return result


def common(schemas: list[dict[str, Any]]) -> set[str]:
    """The fields that all of them have alike."""
    fields = [
        {(field, json.dumps(each), field in schema.get("required", ())) for field, each in schema["properties"].items()}
        for schema in schemas
    ]
    return {field for field, *_ in set.intersection(*fields)}


def only(schema: dict[str, Any], fields: set[str]) -> dict[str, Any]:
    properties = {field: each for field, each in schema["properties"].items() if field in fields}
    required = [field for field in schema.get("required", ()) if field in fields]
    return {**schema, "properties": properties, "required": required}


def formatted(text: str) -> str:
    for command in (["check", "--fix-only", "--select", "I"], ["format"]):
        arguments = [*command, "--quiet", "--stdin-filename", str(PACKAGE / "types.py"), "-"]
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *arguments], input=text, capture_output=True, text=True, cwd=ROOT, check=True
        )
        text = done.stdout
    return text


if __name__ == "__main__":
    sys.exit(main())
