"""What a vendor's response says of one call: whether it succeeded, and what it used.

Each function takes the response object, the model that was asked for and the path to the response (for messages), and
raises CallError for what that vendor does not send as a final response. Usage that is not there is unknown, never 0.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tracecite_lint.calls.call import (
    MAX_COUNT,
    CallError,
    Status,
    kind_of,
    name_of,
    shown,
    token_count,
)
from tracecite_lint.calls.manifest import is_model_or_snapshot
from tracecite_lint.jsonl import JsonValue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final, NoReturn

CODE: Final = "invalid_provider_record"

Body = dict[str, JsonValue]


class Outcome(NamedTuple):
    """How a call ended and what it used; None is not known."""

    status: Status
    input_tokens: int | None = None
    output_tokens: int | None = None


BodyReader = Callable[[Body, str, str], Outcome]


def ollama(body: Body, model: str, path: str) -> Outcome:
    """Read the final object of Ollama's /api/chat or /api/generate (docs/call-audit.md)."""
    if "error" in body:
        name_of(body, "error", CODE, within=path)
        return _outcome("error", body, "prompt_eval_count", "eval_count", path)
    if body.get("done") is not True:
        refuse(f"`{path}done` is not true: record the final object of the response")
    if name_of(body, "model", CODE, within=path) != model:
        refuse(f"`{path}model` is {shown(str(body['model']))}, not the envelope's {shown(model)}")
    return _outcome("ok", body, "prompt_eval_count", "eval_count", path)


def openai(body: Body, model: str, path: str) -> Outcome:
    """Read a body of OpenAI's Chat Completions, Completions, Responses or Embeddings API."""
    return _openai(body, model, path, same=is_model_or_snapshot)


def vllm(body: Body, model: str, path: str) -> Outcome:
    """Read a body of vLLM's server: OpenAI's shapes, the model under the very name it is served by, and its own errors."""
    if body.get("object") == "error":
        name_of(body, "message", CODE, within=path)
        return Outcome("error")
    return _openai(body, model, path, same=str.__eq__)


def anthropic(body: Body, model: str, path: str) -> Outcome:
    """Read a body of Anthropic's Messages API."""
    usage = _usage(body, "usage", path)
    within = f"{path}usage."
    if body.get("type") == "error":
        _check_error(body, path)
        return _outcome("error", usage, "input_tokens", "output_tokens", within)
    if body.get("type") != "message":
        refuse(f"`{path}type` is neither `message` nor `error`: no body of the Messages API")
    _check_model(body, "model", model, path, is_model_or_snapshot)
    if not body.get("stop_reason", True):
        refuse(f"`{path}stop_reason` is empty: the message was still being written")
    _check_usage_names(usage, ("input_tokens", "output_tokens"), within)
    return _outcome("ok", usage, "input_tokens", "output_tokens", within)


def gemini(body: Body, model: str, path: str) -> Outcome:
    """Read a body of Gemini's generateContent.

    Its JSON leaves out counts of 0: a missing candidatesTokenCount is 0 only if the total leaves no room for it.
    """
    usage = _usage(body, "usageMetadata", path)
    if body.get("error") is not None:
        _check_error(body, path)
        return _gemini_usage("error", usage, path)
    if "modelVersion" in body:
        _check_model(body, "modelVersion", model, path, is_model_or_snapshot)
    candidates = body.get("candidates")
    if not isinstance(candidates, list) or not candidates:
        feedback = body.get("promptFeedback")
        if isinstance(feedback, dict) and feedback.get("blockReason"):
            return _gemini_usage("error", usage, path)
        refuse(f"`{path}candidates` is missing or empty: no body of generateContent")
    _check_finished(candidates, "finishReason", f"{path}candidates")
    return _gemini_usage("ok", usage, path)


def vendor_of(body: Body) -> str | None:
    """Return the provider whose response *body* looks like, by the fields that only it has; None for none of them."""
    error = body.get("error")
    if body.get("type") == "message" or (body.get("type") == "error" and isinstance(error, dict)):
        return "anthropic"
    if not body.keys().isdisjoint(("candidates", "usageMetadata", "promptFeedback")):
        return "gemini"
    if not body.keys().isdisjoint(("done", "eval_count", "prompt_eval_count")):
        return "ollama"
    if body.get("object") == "error":
        return "vllm"
    if not body.keys().isdisjoint(("choices", "output")) or body.get("object") == "list":
        return "openai"
    if isinstance(error, dict):
        # Google's errors have a numeric code and a status in words, OpenAI's a type.
        return "gemini" if "status" in error and "type" not in error else "openai"
    return "ollama" if isinstance(error, str) else None


def refuse(message: str) -> NoReturn:
    """Raise CallError for a record that is not what its vendor sends."""
    raise CallError(CODE, message)


def _openai(body: Body, model: str, path: str, *, same: Callable[[str, str], bool]) -> Outcome:
    usage = _usage(body, "usage", path)
    within = f"{path}usage."
    responses_api = "output" in body or body.get("object") == "response"
    names = ("input_tokens", "output_tokens")
    if not responses_api:
        names = ("prompt_tokens", "completion_tokens")
    if body.get("error") is not None:
        _check_error(body, path)
        return _outcome("error", usage, *names, within)
    if responses_api:
        status = _responses_status(body, path)
    else:
        status = "ok"
        _check_choices(body, usage, path)
    _check_model(body, "model", model, path, same)
    _check_usage_names(usage, names, within)
    outcome = _outcome(status, usage, *names, within)
    if body.get("object") == "list" and outcome.input_tokens is not None:
        return outcome._replace(output_tokens=0)  # embeddings: nothing is generated
    return outcome


def _responses_status(body: Body, path: str) -> Status:
    status = body.get("status")
    if status in ("completed", "incomplete"):
        return "ok"
    if status in ("failed", "cancelled"):
        return "error"
    refuse(f"`{path}status` is not that of a finished response")


def _check_choices(body: Body, usage: Body, path: str) -> None:
    if body.get("object") == "list" and isinstance(body.get("data"), list):
        return
    choices = body.get("choices")
    if not isinstance(choices, list):
        refuse(f"`{path}choices` and `{path}output` are missing: no body of the OpenAI API")
    if body.get("object") == "chat.completion.chunk" and (choices or not usage):
        refuse(f"`{path}object` is a chunk of a stream, and not the last one with the usage")
    _check_finished(choices, "finish_reason", f"{path}choices")


def _check_finished(answers: list[JsonValue], field: str, path: str) -> None:
    """Refuse *answers* of which one does not say why it ended: its usage is that of a moment."""
    for index, answer in enumerate(answers):
        if not isinstance(answer, dict) or not answer.get(field):
            refuse(f"`{path}[{index}]` has no {field}: the answer was still being written")


def _check_error(body: Body, path: str) -> None:
    error = body.get("error")
    if not error or not isinstance(error, dict | str):
        refuse(f"`{path}error` is {kind_of(error)}, not what went wrong")


def _check_model(
    body: Body, field: str, model: str, path: str, same: Callable[[str, str], bool]
) -> None:
    answered = name_of(body, field, CODE, within=path)
    if not same(answered, model):
        refuse(f"`{path}{field}` is {shown(answered)}, not the requested {shown(model)}")


def _usage(body: Body, field: str, path: str) -> Body:
    usage = body.get(field)
    if usage is None:
        return {}
    if not isinstance(usage, dict):
        refuse(f"`{path}{field}` is {kind_of(usage)}, not an object")
    return usage


def _check_usage_names(usage: Body, names: tuple[str, str], within: str) -> None:
    if usage and names[0] not in usage and names[1] not in usage:
        refuse(f"`{within}{names[0]}` and `{within}{names[1]}` are missing: usage of another API")


def _outcome(status: Status, usage: Body, input_name: str, output_name: str, path: str) -> Outcome:
    return Outcome(
        status,
        token_count(usage, input_name, CODE, within=path),
        token_count(usage, output_name, CODE, within=path),
    )


def _gemini_usage(status: Status, usage: Body, path: str) -> Outcome:
    within = f"{path}usageMetadata."

    def count(field: str) -> int | None:
        return token_count(usage, field, CODE, within=within)

    prompt, total = count("promptTokenCount"), count("totalTokenCount")
    tools, thoughts = count("toolUsePromptTokenCount") or 0, count("thoughtsTokenCount") or 0
    candidates = count("candidatesTokenCount")
    input_tokens = None if prompt is None else prompt + tools
    if candidates is None and input_tokens is not None and total == input_tokens + thoughts:
        candidates = 0
    output_tokens = None if candidates is None else candidates + thoughts
    if max(input_tokens or 0, output_tokens or 0) > MAX_COUNT:
        refuse(f"the counts of `{within[:-1]}` add up to more than {MAX_COUNT}")
    return Outcome(status, input_tokens, output_tokens)
