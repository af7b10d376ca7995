import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as path from "node:path";
import { test } from "node:test";

import { serverSettings } from "../src/settings.ts";

const reader = (values: Record<string, unknown>) => (key: string) => values[key];

test("settings that are not set are not sent", () => {
  assert.deepEqual(serverSettings(reader({ run: "onSave", manifest: null }), true), { trusted: true, run: "onSave" });
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
