"""The floor of a warm sweep: each text is read from SQLite once, and each of its quotations looked for with `in`.

python benchmarks/bare_warm.py PLAIN     with what `benchmarks.survey documents --plain PLAIN` wrote
"""

import json
import sqlite3
import sys
from pathlib import Path

plain = Path(sys.argv[1])
database = sqlite3.connect(f"file:{plain}?mode=ro", uri=True)
held = 0
for page, quotes in json.loads(plain.with_suffix(".json").read_text()).items():
    (text,) = database.execute("SELECT text FROM texts WHERE page = ?", (int(page),)).fetchone()
    held += sum(quote in text for quote in quotes)
print(held)
