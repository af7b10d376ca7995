import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as path from "node:path";
import { test } from "node:test";

import { serverSettings } from "../src/settings.ts";

const reader = (values: Record<string, unknown>) => (key: string) => values[key];

test("a setting that is not set is sent as null, which takes an earlier value back", () => {
  const settings = serverSettings(reader({ run: "onSave", manifest: null }), true);
  assert.equal(settings["run"], "onSave");
  assert.equal(settings["trusted"], true);
  assert.equal(settings["manifest"], null);
  assert.equal(settings["cafile"], null);
});

test("no command of the extension has the name of one of the server's, which the client registers", () => {
  const manifest = JSON.parse(readFileSync(path.join(__dirname, "..", "package.json"), "utf8"));
  const own: string[] = manifest.contributes.commands.map((item: { command: string }) => item.command);
  const server = readFileSync(path.join(__dirname, "..", "..", "tracecite_lsp", "commands.py"), "utf8");
  const others = [...server.matchAll(/"(tracecite\.\w+)"/g)].map((match) => match[1]);
  assert.ok(others.length > 2);
  assert.deepEqual(own.filter((command) => others.includes(command)), []);
});

test("a workspace that is not trusted never fetches", () => {
  assert.equal(serverSettings(reader({ network: "on" }), false)["network"], "cache-only");
  assert.equal(serverSettings(reader({}), false)["network"], "cache-only");
  assert.equal(serverSettings(reader({ network: "off" }), false)["network"], "off");
});

test("every setting that widens reach is restricted, and machine-scoped", () => {
  const manifest = JSON.parse(readFileSync(path.join(__dirname, "..", "package.json"), "utf8"));
  const restricted: string[] = manifest.capabilities.untrustedWorkspaces.restrictedConfigurations;
  const properties = manifest.contributes.configuration.properties;
  for (const key of ["connectTo", "allowHost", "cafile", "proxy", "server.command"]) {
    assert.ok(restricted.includes(`tracecite.${key}`), key);
    assert.equal(properties[`tracecite.${key}`].scope, "machine", key);
  }
});

test("every setting is documented", () => {
  const manifest = JSON.parse(readFileSync(path.join(__dirname, "..", "package.json"), "utf8"));
  const readme = readFileSync(path.join(__dirname, "..", "README.md"), "utf8");
  for (const key of Object.keys(manifest.contributes.configuration.properties)) {
    assert.ok(readme.includes(`\`${key}\``), key);
  }
});
