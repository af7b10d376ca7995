"""Processes that are killed in the middle of a run leave no wrong verdict behind: 1,200 times under `pytest -m exhaustive`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from loopback import Answer, Exchange, Loopback

from tracecite_lint.sources.cache import Cache

PAGES = 6

# Forks eight processes that read pages over and over, kills one at a random moment, and forks another in its place. Each
# says after each round what it saw.
RUN = """
import asyncio, json, os, random, signal, sys, time, traceback
from pathlib import Path
import tracecite_lint.sources.http, tracecite_lint.sources.extract, tracecite_lint.sources.rows
from tracecite_lint.known.unchecked import UncheckedCitation, UncheckedCitations
from tracecite_lint.sources.cache import Cache
from tracecite_lint.sources.options import FetchOptions, HostOptions, parse_connect_to
from tracecite_lint.sources.policy import resolve
from tracecite_lint.sources.store import Store

directory, rule, pages, kills = sys.argv[1:]
options = FetchOptions(
    connect_to=(parse_connect_to(rule),),
    hosts={"www.iana.org": HostOptions(interval=0.0, concurrency=8)},
    ttl=0.05,
)
urls = [f"http://www.iana.org/{number}" for number in range(int(pages))]

async def one_round(number):
    cache = Cache(Path(directory))
    store = Store(cache, options, str.encode, 1)
    found = await asyncio.gather(*(store.load(resolve(url)) for url in urls), return_exceptions=True)
    await store.close()
    listed = UncheckedCitations(Path(directory))
    noted = {"repository": "/r", "file": "a.md", "source": urls[0], "code": "HOST_UNRESOLVED"}
    listed.add([UncheckedCitation(**noted, key=str(number % 7), noted_at=time.time())])
    listed.remove("/r", [str((number + 3) % 7)])
    keys = [entry.key for entry in listed.of("/r")]
    seen = [page.text.split() if hasattr(page, "text") else [repr(page)] for page in found]
    words = [f"{len(text)} {text[0]} {text[-1]} {len(set(text))}" for text in seen]
    kept = all(page.prepared.decode() == page.text for page in found if hasattr(page, "text"))
    print("\\n" + json.dumps([words, kept, len(keys), cache.problem, listed.problem]), flush=True)
    listed.close()
    cache.close()

def start():
    child = os.fork()
    if child:
        return child
    try:
        for number in range(100_000):
            asyncio.run(one_round(number))
    except BaseException:
        print("\\n" + json.dumps(traceback.format_exc()), flush=True)
    os._exit(1)

chance = random.Random(int(kills))
running = [start() for _ in range(8)]
for _ in range(int(kills)):
    time.sleep(chance.uniform(0.0, 0.15))
    victim = running.pop(chance.randrange(8))
    os.kill(victim, signal.SIGKILL)
    status = os.waitpid(victim, 0)[1]
    assert os.WIFSIGNALED(status), "it had ended by itself"
    running.append(start())
for child in running:
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
"""


def words(number: int) -> list[str]:
    return [f"page-{number}", *(f"word-{n}" for n in range(2000)), f"end-{number}"]


def answer(exchange: Exchange) -> Answer:
    number = int(exchange.request.target[1:])
    if exchange.request.headers.get("if-none-match") == f'"{number}"':
        return Answer(status=304, content_type=None)
    return Answer(f"<p>{' '.join(words(number))}", headers={"ETag": f'"{number}"'})


def killed(loopback: Loopback, tmp_path: Path, kills: int) -> None:
    """Kill *kills* of eight processes that share a cache, and look at all that any of them saw."""
    directory, output = tmp_path / "cache", tmp_path / "seen"
    for number in range(PAGES):
        loopback.script(f"http://www.iana.org/{number}", answer)
    rule = f"::127.0.0.1:{loopback.http_port}"
    command = [sys.executable, "-c", RUN, str(directory), rule, str(PAGES), str(kills)]
    with output.open("ab") as file:
        done = subprocess.run(command, stdout=file, stderr=subprocess.PIPE, text=True)
    rounds, broken = [], 0
    for line in filter(None, output.read_text().splitlines()):
        try:
            rounds.append(json.loads(line))
        except ValueError:
            broken += 1  # killed while it said what it saw
    assert broken <= kills / 50
    assert (done.returncode, done.stderr) == (0, ""), rounds[-1:]
    right = [f"2002 page-{n} end-{n} 2002" for n in range(PAGES)]
    wrong = [seen for seen in rounds if seen[:2] != [right, True] or seen[2] > 7 or any(seen[3:])]
    assert wrong == []
    assert len(rounds) > kills / 10
    left = Cache(directory)
    assert left.page("no such page") is None
    assert left.problem is None
    left.close()


pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")


def test_a_few_that_are_killed(loopback, tmp_path):
    killed(loopback, tmp_path, 15)


@pytest.mark.exhaustive
def test_1200_that_are_killed_among_eight(loopback, tmp_path):
    killed(loopback, tmp_path, 1200)
