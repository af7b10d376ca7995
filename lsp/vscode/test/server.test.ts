import assert from "node:assert/strict";
import { test } from "node:test";

import { type Surroundings, serverCommand } from "../src/server.ts";

const nothing: Surroundings = {
  configured: null,
  python: null,
  searchPath: "",
  platform: "linux",
  isExecutable: () => false,
};

const cases: readonly [string, Partial<Surroundings>, readonly string[], string | null][] = [
  ["nothing there", {}, [], null],
  ["the configured command, as it is", { configured: ["/x/tl", "server", "-v"] }, [], "/x/tl server -v"],
  ["an empty command counts as none", { configured: [] }, [], null],
  ["beside the interpreter", { python: "/v/bin/python" }, ["/v/bin/tracecite-lint"], "/v/bin/tracecite-lint server"],
  [
    "the interpreter's before PATH's",
    { python: "/v/bin/python", searchPath: "/usr/bin" },
    ["/usr/bin/tracecite-lint", "/v/bin/tracecite-lint"],
    "/v/bin/tracecite-lint server",
  ],
  ["on PATH", { searchPath: "/a:/b" }, ["/b/tracecite-lint"], "/b/tracecite-lint server"],
  ["no relative PATH entry", { searchPath: ".:bin" }, ["bin/tracecite-lint", "tracecite-lint"], null],
  ["no relative interpreter", { python: "python" }, ["tracecite-lint", "./tracecite-lint"], null],
  [
    "on Windows",
    { platform: "win32", python: "C:\\v\\Scripts\\python.exe" },
    ["C:\\v\\Scripts\\tracecite-lint.exe"],
    "C:\\v\\Scripts\\tracecite-lint.exe server",
  ],
];

for (const [name, given, files, expected] of cases) {
  test(`the server: ${name}`, () => {
    const found = serverCommand({ ...nothing, isExecutable: (file) => files.includes(file), ...given });
    assert.equal(found === null ? null : [found.program, ...found.args].join(" "), expected);
  });
}
