// Which documents the server serves: pure, so that Python is started for no other.

/** The languages that are served whatever the documents say. */
export const LANGUAGES = ["markdown", "mdx", "quarto", "rmd", "jsonl", "jsonlines", "ndjson"] as const;

/** Names of files that are served whatever their language is. */
export const PATTERNS = ["**/*.jsonl", "**/*.ndjson"] as const;

/** What is known of an open document. */
export interface Open {
  readonly scheme: string;
  readonly language: string;
  readonly path: string;
  /** Returns the lines from the first on, one by one. */
  readonly lines: () => Iterable<string>;
}

/** Tells whether a server is to be started for a document. */
export function isServed({ scheme, language, path, lines }: Open): boolean {
  if (scheme !== "file" && scheme !== "untitled") {
    return false;
  }
  if ((LANGUAGES as readonly string[]).includes(language) || /\.(jsonl|ndjson)$/i.test(path)) {
    return true;
  }
  if (language === "json") {
    return scheme === "untitled"; // JSON Lines, before they have a name.
  }
  return language === "plaintext" && looksLikeNotes(lines());
}

/** Tells whether a text begins as citation notes do (docs/citations.md, "Notes"); the server then looks at all of it. */
export function looksLikeNotes(lines: Iterable<string>): boolean {
  for (const line of lines) {
    const said = line.trim();
    if (said !== "" && said !== "---" && !said.startsWith("#")) {
      return /^(claim|quote|url)\s*:/.test(said);
    }
  }
  return false;
}
