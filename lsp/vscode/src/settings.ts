// The settings of the extension as the server reads them.

/** How a setting is read: the value that holds for a scope, or undefined. */
export type Reader = (key: string) => unknown;

const KEYS = [
  "run",
  "network",
  "citations",
  "claims",
  "inlayHints",
  "codeLens",
  "manifest",
  "connectTo",
  "allowHost",
  "cafile",
  "proxy",
] as const;

/**
 * Return the `tracecite` section that is sent to the server; null stands for what is not set (any more).
 *
 * In a workspace that is not trusted nothing is fetched, whatever the settings say.
 */
export function serverSettings(read: Reader, trusted: boolean): Record<string, unknown> {
  const settings: Record<string, unknown> = { trusted };
  for (const key of KEYS) {
    settings[key] = read(key) ?? null;
  }
  if (!trusted && settings["network"] !== "off") {
    settings["network"] = "cache-only";
  }
  return settings;
}
