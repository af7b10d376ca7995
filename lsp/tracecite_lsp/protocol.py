"""pygls' protocol behind a door that judges each message: what is none gets its error or is passed over, none is fatal.

pygls leaves requests that it cannot read unanswered, and starts anew with a second `initialize`.
"""

from __future__ import annotations

import json
from typing import Any

from lsprotocol import types
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInternalError,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcMethodNotFound,
    JsonRpcParseError,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import LanguageServerProtocol

_Id = int | str | None


class Protocol(LanguageServerProtocol):
    """Takes in messages as they were received.

    pygls' copies of the documents are left out: the session keeps them (tracecite_lsp.positions says why).
    """

    lsp_text_document__did_open = None  # type: ignore[assignment]
    lsp_text_document__did_change = None  # type: ignore[assignment]
    lsp_text_document__did_close = None  # type: ignore[assignment]

    is_initialized = False

    def take(self, body: bytes) -> None:
        """Handle the message *body*: UTF-8, whatever its Content-Type says."""
        try:
            message = json.loads(body.decode())
        except (ValueError, RecursionError):
            self.refuse(JsonRpcParseError("the message is no JSON in UTF-8, or nested too deeply"))
            return
        if not isinstance(message, dict) or message.get("jsonrpc") != self.VERSION:
            self.refuse(JsonRpcInvalidRequest("an object of JSON-RPC 2.0 is needed"))
        elif "method" not in message:
            self._take_response(message)
        elif not isinstance(message["method"], str) or not _is_id(message.get("id", 0)):
            self.refuse(JsonRpcInvalidRequest("method and id are of the wrong kind"))
        elif "id" in message:
            self._take_request(message)
        else:
            self._take_notification(message)

    def refuse(self, error: JsonRpcException, id: _Id = None) -> None:
        """Answer the request *id* (None: it is not known) with *error*."""
        # Not pygls' own, which leaves out an id of null.
        answer = {"jsonrpc": self.VERSION, "id": id, "error": error.to_response_error()}
        self._send_data(answer)

    def _take_request(self, message: dict[str, Any]) -> None:
        method, id = message["method"], message["id"]
        refusal = self._refusal(method)
        if refusal is None and not self._is_known(method):
            refusal = JsonRpcMethodNotFound.of(method)
        if refusal is None and self.get_result_type(method) is None:
            refusal = JsonRpcInvalidRequest("a notification has no id")
        if refusal is None:
            refusal = self._pass_on(message)
        if refusal is not None:
            self.refuse(refusal, id)

    def _take_notification(self, message: dict[str, Any]) -> None:
        method = message["method"]
        if method == types.EXIT or (self._refusal(method) is None and self._is_known(method)):
            self._pass_on(message)

    def _take_response(self, message: dict[str, Any]) -> None:
        if not ("result" in message or "error" in message) or not _is_id(message.get("id")):
            self.refuse(JsonRpcInvalidRequest("neither a request nor a response"))
        elif message["id"] in self._request_futures and self._pass_on(message) is not None:
            # Whoever waits for the answer is told that there is none to be had.
            error = {"code": JsonRpcInvalidParams.CODE, "message": "the response cannot be read"}
            self._pass_on({"jsonrpc": self.VERSION, "id": message["id"], "error": error})

    def _refusal(self, method: str) -> JsonRpcException | None:
        """Return why *method* is not answered now ("Server lifecycle" in the specification)."""
        if self._shutdown:
            return JsonRpcInvalidRequest("the server was shut down")
        if method == types.INITIALIZE:
            return JsonRpcInvalidRequest("initialized before") if self.is_initialized else None
        return (
            None if self.is_initialized else JsonRpcServerNotInitialized("initialize comes first")
        )

    def _is_known(self, method: str) -> bool:
        return (
            method in self.fm.builtin_features
            or method in self.fm.features
            or (method == types.CANCEL_REQUEST)
        )

    def _pass_on(self, message: dict[str, Any]) -> JsonRpcException | None:
        """Let pygls handle *message*; return why it could not."""
        try:
            self.handle_message(self.structure_message(message))
        except JsonRpcInvalidParams:
            return JsonRpcInvalidParams("params of another kind are needed")
        except Exception as error:
            # Its text may hold a document's words.
            return JsonRpcInternalError(type(error).__name__)
        return None


def _is_id(value: object) -> bool:
    return isinstance(value, int | str) and not isinstance(value, bool)
