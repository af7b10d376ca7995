"""The curves of docs/performance.md: what is drawn is what was measured."""

import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

from benchmarks.curves import drawn

ROOT = Path(__file__).parents[2]


def test_a_picture_holds_each_curve_with_its_name_and_last_value() -> None:
    curves = {"slow": [(1, 1.0), (10, 10.0), (100, 100.0)], "fast & small": [(1, 1.0), (100, 1.0)]}
    picture = drawn(curves, "How it grows", "pages")
    root = ElementTree.fromstring(picture)
    texts = [item.text for item in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"How it grows", "pages", "slow: 1e+02 s", "fast & small: 1 s"} <= set(texts)
    slow, fast = (
        [tuple(map(float, place.split(","))) for place in item.attrib["points"].split()]
        for item in root.iter("{http://www.w3.org/2000/svg}polyline")
    )
    # In proportion to its input: steps that are equal on logarithmic axes. Constant: level.
    (x1, y1), (x2, y2), (x3, y3) = slow
    assert abs((x2 - x1) - (x3 - x2)) < 0.2 and abs((y2 - y1) - (y3 - y2)) < 0.2
    assert y1 > y3 and fast[0][1] == fast[1][1]


def test_one_is_measured_and_drawn(tmp_path: Path) -> None:
    kept = tmp_path / "growth.json"
    command = [sys.executable, "-m", "benchmarks.curves"]
    some = ["measure", str(kept), "lines", "--scale=0.01", "--rounds=1"]
    subprocess.run([*command, *some], cwd=ROOT, check=True)
    assert list(json.loads(kept.read_text())) == ["lines"]
    subprocess.run([*command, "draw", str(kept), str(tmp_path)], cwd=ROOT, check=True)
    assert "the hook" in (tmp_path / "growth-lines.svg").read_text()
