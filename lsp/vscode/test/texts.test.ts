import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as path from "node:path";
import { test } from "node:test";

import { notice } from "../src/failures.ts";
import { type Counts, statusText, statusWords } from "../src/overview.ts";
import { isServed, looksLikeNotes } from "../src/served.ts";

const root = path.join(__dirname, "..");
const command = { program: "/venv/bin/tracecite-lint", args: ["server"] };
const ended = { kind: "ended", command, status: 1, said: "", times: 1 } as const;

test("the notice of a missing program names the command that installs it", () => {
  assert.match(notice({ kind: "not found" }, () => false), /pip install 'tracecite-lint\[lsp\]'$/);
});

test("the notice of a server without its packages names the Python that lacks them", () => {
  const said = "tracecite-lint: error: the language server needs pygls: pip install 'tracecite-lint[lsp]'\n";
  const beside = notice({ ...ended, said }, (name) => name === "/venv/bin/python");
  assert.match(beside, /: \/venv\/bin\/python -m pip install 'tracecite-lint\[lsp\]'$/);
  assert.match(notice({ ...ended, said }, () => false), /: pip install 'tracecite-lint\[lsp\]'$/);
  const python = { ...command, program: "C:\\a b\\python.exe" };
  assert.match(notice({ ...ended, command: python, said }, () => false), /: "C:\\a b\\python\.exe" -m pip install/);
});

test("what is recognised is what the command says", () => {
  const source = readFileSync(path.join(root, "..", "..", "tracecite_lint", "cli", "server.py"), "utf8");
  assert.match(source, /the language server needs pygls/);
});

test("any other end is told by the last line", () => {
  assert.equal(notice({ ...ended, said: "a\nb: c\n" }, () => false), "The tracecite-lint server ended, status 1: b: c");
  const often = notice({ ...ended, status: null, times: 5 }, () => false);
  assert.equal(often, "The tracecite-lint server ended 5 times in three minutes");
  const missing = notice({ kind: "not started", command, reason: "spawn ENOENT" }, () => false);
  assert.equal(missing, "/venv/bin/tracecite-lint cannot be started: spawn ENOENT");
});

const none: Counts = { verified: 0, mismatch: 0, unverifiable: 0, suppressed: 0, unread: 0, passedOver: 0 };

test("the status says what the server does, and counts what there is", () => {
  const counts = { ...none, verified: 3, unread: 2 };
  assert.equal(statusText({ kind: "idle" }, counts), "$(quote) $(error) 0 $(circle-outline) 2 $(pass) 3");
  assert.match(statusWords({ kind: "idle" }, counts), /^0 wrong, 2 unread, 3 verified\. Click for the list\./);
  assert.equal(statusText({ kind: "reading", done: 3, total: 7 }, counts), "$(sync~spin) 3 of 7 pages");
  assert.match(statusWords({ kind: "stopped", why: "It was not found." }, undefined), /^There is no server\. It was/);
});

test("citation notes are told from other plain text by their first line", () => {
  assert.ok(looksLikeNotes(["", "# Notes", "---", "  quote: words"]));
  assert.ok(looksLikeNotes(["url:https://example.com"]));
  assert.ok(!looksLikeNotes(["A claim: words", "claim: words"]));
  assert.ok(!looksLikeNotes(["claims: words"]));
  assert.ok(!looksLikeNotes([]));
});

const served: readonly [string, string, string, string[], boolean][] = [
  ["file", "markdown", "/a.md", [], true],
  ["file", "jsonl", "/a", [], true],
  ["file", "log", "/a.NDJSON", [], true],
  ["untitled", "json", "Untitled-1", [], true],
  ["file", "json", "/settings.json", [], false],
  ["file", "plaintext", "/a.txt", ["claim: x"], true],
  ["file", "plaintext", "/a.txt", ["words"], false],
  ["output", "markdown", "/a", [], false],
  ["git", "markdown", "/a.md", [], false],
];

for (const [scheme, language, name, lines, expected] of served) {
  test(`served or not: ${scheme} ${language} ${name} ${lines.join()}`, () => {
    assert.equal(isServed({ scheme, language, path: name, lines: () => lines }), expected);
  });
}

test("the page of the extension is one for readers: what it names is in the package, and the licence is the project's", () => {
  const manifest = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  const readme = readFileSync(path.join(root, "README.md"), "utf8");
  assert.ok(!/npm|vsce/.test(readme));
  assert.equal(readFileSync(path.join(root, "LICENSE"), "utf8"), readFileSync(path.join(root, "..", "..", "LICENSE"), "utf8"));
  const steps: { media: { image?: string; markdown?: string } }[] = manifest.contributes.walkthroughs[0].steps;
  const named = [
    manifest.icon,
    ...[...readme.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)].map((match) => match[1]),
    ...steps.map((step) => step.media.image ?? step.media.markdown),
  ];
  assert.ok(named.length > 5);
  for (const name of named) {
    assert.ok(readFileSync(path.join(root, name)).length > 0, name);
  }
});

test("no setting has to be edited as JSON, and none shows null", () => {
  const manifest = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  for (const [key, property] of Object.entries<Record<string, unknown>>(manifest.contributes.configuration.properties)) {
    assert.equal(typeof property["type"], "string", key);
    assert.notEqual(property["default"], null, key);
    if (property["enum"] !== undefined) {
      assert.equal((property["enumItemLabels"] as string[]).length, (property["enum"] as string[]).length, key);
    }
  }
});
