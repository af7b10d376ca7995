"""The logs that can be audited: how each becomes calls, what is its manifest, and what its input_tokens means."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from tracecite_lint.calls.call import Call, LoggedCall, normalized_call, object_of
from tracecite_lint.calls.manifest import Manifest, decode_batch_input, decode_manifest
from tracecite_lint.calls.providers import batch, bodies, claude_code, otlp
from tracecite_lint.calls.providers.bodies import BodyReader
from tracecite_lint.calls.providers.envelope import envelope_call
from tracecite_lint.jsonl import JsonLine, JsonValue
from tracecite_lint.light.lazy import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

Lines = Callable[[], Iterator[JsonLine]]
"""Reads the log from its start."""

LineDecoder = Callable[[JsonLine], Sequence[LoggedCall]]
"""Returns the calls of a line that is JSON; raises CallError."""

NORMALIZED_MEANING: Final = "as whoever wrote the record counted it"
OPENAI_MEANING: Final = "all input tokens, those read from the cache included (OpenAI)"
ANTHROPIC_MEANING: Final = (
    "input tokens without those read from and written to the cache (Anthropic)"
)


@dataclass(frozen=True, slots=True)
class Provider:
    """One kind of log. `meaning` says what its input_tokens counts."""

    name: str
    records: str
    """What one line holds, for help and documentation."""
    meaning: str
    decoder: Callable[[Lines, Manifest | None, dict[str, int]], LineDecoder]
    """Builds the decoder of one log; the dict takes the numbers of records that are no calls of their own."""
    manifest: Callable[[str | bytes], Manifest] = decode_manifest


def _normalized(meaning: str) -> Callable[[Lines, Manifest | None, dict[str, int]], LineDecoder]:
    def decode(line: JsonLine) -> Sequence[LoggedCall]:
        record = object_of(line.value, "invalid_record")
        return (LoggedCall(line.number, normalized_call(record), meaning),)

    return lambda lines, manifest, left_out: decode


def _envelope(
    read_body: BodyReader, meaning: str
) -> Callable[[Lines, Manifest | None, dict[str, int]], LineDecoder]:
    def decode(line: JsonLine) -> Sequence[LoggedCall]:
        record = object_of(line.value, "invalid_record")
        if "response" in record:
            return (LoggedCall(line.number, envelope_call(record, read_body), meaning),)
        return (LoggedCall(line.number, normalized_call(record), NORMALIZED_MEANING),)

    return lambda lines, manifest, left_out: decode


def _mixed(lines: Lines, manifest: Manifest | None, left_out: dict[str, int]) -> LineDecoder:
    def decode(line: JsonLine) -> Sequence[LoggedCall]:
        record = object_of(line.value, "invalid_record")
        response = record.get("response")
        if "response" not in record:
            return (LoggedCall(line.number, normalized_call(record), NORMALIZED_MEANING),)
        vendor = bodies.vendor_of(response) if isinstance(response, dict) else None
        if vendor is None:
            bodies.refuse("`response` is that of no vendor known here")
        call = envelope_call(record, BODY_READERS[vendor])
        return (LoggedCall(line.number, call, PROVIDERS[vendor].meaning),)

    return decode


def _batch(
    read_line: Callable[[dict[str, JsonValue], Manifest | None], Call], meaning: str
) -> Callable[[Lines, Manifest | None, dict[str, int]], LineDecoder]:
    def decoder(lines: Lines, manifest: Manifest | None, left_out: dict[str, int]) -> LineDecoder:
        def decode(line: JsonLine) -> Sequence[LoggedCall]:
            record = object_of(line.value, bodies.CODE)
            return (LoggedCall(line.number, read_line(record, manifest), meaning),)

        return decode

    return decoder


def _of_envelopes(name: str, vendor: str, meaning: str) -> Provider:
    records = f"the five identity fields and `response`: {vendor}"
    return Provider(name, records, meaning, _envelope(BODY_READERS[name], meaning))


BODY_READERS: Final[dict[str, BodyReader]] = {
    "ollama": bodies.ollama,
    "openai": bodies.openai,
    "anthropic": bodies.anthropic,
    "vllm": bodies.vllm,
    "gemini": bodies.gemini,
}
"""The vendors whose responses an envelope may hold."""

PROVIDERS: Final[dict[str, Provider]] = {
    provider.name: provider
    for provider in (
        Provider(
            "normalized",
            "a normalised record",
            NORMALIZED_MEANING,
            _normalized(NORMALIZED_MEANING),
        ),
        _of_envelopes(
            "ollama",
            "the final object of Ollama's /api/chat or /api/generate",
            "prompt tokens as Ollama counts them (prompt_eval_count)",
        ),
        _of_envelopes(
            "openai",
            "a body of OpenAI's Chat Completions, Responses or Embeddings API",
            OPENAI_MEANING,
        ),
        _of_envelopes("anthropic", "a body of Anthropic's Messages API", ANTHROPIC_MEANING),
        _of_envelopes(
            "vllm",
            "a body of vLLM's OpenAI-compatible server",
            "all prompt tokens, those in the prefix cache included (vLLM)",
        ),
        _of_envelopes(
            "gemini",
            "a body of Gemini's generateContent",
            "prompt tokens, cached content included, and tool-use prompt tokens (Gemini)",
        ),
        Provider(
            "mixed",
            "the five identity fields and `response`: a body of any of these vendors, told apart by its fields",
            "as the vendor of each record counts it",
            _mixed,
        ),
        Provider(
            "openai-batch",
            "a line of an OpenAI batch output or error file",
            OPENAI_MEANING,
            _batch(batch.openai_batch_call, OPENAI_MEANING),
            partial(decode_batch_input, request="body"),
        ),
        Provider(
            "anthropic-batch",
            "a line of the results of an Anthropic message batch",
            ANTHROPIC_MEANING,
            _batch(batch.anthropic_batch_call, ANTHROPIC_MEANING),
            partial(decode_batch_input, request="params"),
        ),
        Provider(
            "otlp",
            "an OTLP JSON export with gen_ai spans",
            "gen_ai.usage.input_tokens as the instrumentation of each vendor counts it",
            lambda lines, manifest, left_out: otlp.span_decoder(lines, left_out),
        ),
        Provider(
            "claude-code",
            "a line of a Claude Code session",
            ANTHROPIC_MEANING,
            lambda lines, manifest, left_out: claude_code.session_decoder(
                lines, left_out, ANTHROPIC_MEANING
            ),
        ),
    )
}
"""Every kind of log by the name that --provider takes."""


def provider_named(name: str) -> Provider:
    """Return the provider *name*; raises ValueError naming all of them."""
    if name not in PROVIDERS:
        raise ValueError(f"no provider {name!r}: choose from {', '.join(PROVIDERS)}")
    return PROVIDERS[name]
