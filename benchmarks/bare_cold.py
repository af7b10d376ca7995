"""The floor of a cold sweep: aiohttp with 32 connections fetches, Lexbor extracts, `in` looks for each quotation.

python benchmarks/bare_cold.py PLAIN PORT
"""

import asyncio
import json
import sys
from pathlib import Path

import aiohttp
from selectolax.lexbor import LexborHTMLParser


async def main(quoted: dict[str, list[str]], port: str) -> None:
    """Fetch every page and print how many quotations stand in theirs."""
    gate = asyncio.Semaphore(32)

    async def one(session: aiohttp.ClientSession, page: str) -> int:
        async with gate, session.get(f"http://127.0.0.1:{port}/{page}") as response:
            body = await response.read()
        tree = LexborHTMLParser(body.decode())
        text = " ".join(tree.body.text(separator=" ").split()) if tree.body else ""
        return sum(quote in text for quote in quoted[page])

    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=32)) as session:
        print(sum(await asyncio.gather(*(one(session, page) for page in quoted))))


asyncio.run(main(json.loads(Path(sys.argv[1]).with_suffix(".json").read_text()), sys.argv[2]))
