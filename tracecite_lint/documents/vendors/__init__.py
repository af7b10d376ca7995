"""Records that model APIs and agents write, one module per format: where their quotations stand and what they cite.

This is the registry: a new format is a module with a Reader, and a line below.
"""

from __future__ import annotations

from tracecite_lint.documents.vendors.anthropic import AnthropicReader
from tracecite_lint.documents.vendors.chat import ChatReader
from tracecite_lint.documents.vendors.claude_code import ClaudeCodeReader
from tracecite_lint.documents.vendors.codex import CodexReader
from tracecite_lint.documents.vendors.codex_session import CodexSessionReader
from tracecite_lint.documents.vendors.gemini import GeminiReader
from tracecite_lint.documents.vendors.gemini_session import GeminiSessionReader
from tracecite_lint.documents.vendors.openai import OpenAIReader
from tracecite_lint.documents.vendors.record import Reader

# Whichever recognises a record first reads it: the closer a format describes itself, the earlier it is asked.
READERS: tuple[type[Reader], ...] = (
    CodexReader,
    CodexSessionReader,
    GeminiSessionReader,
    ClaudeCodeReader,
    AnthropicReader,
    GeminiReader,
    OpenAIReader,
    ChatReader,
)
