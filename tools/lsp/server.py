"""The language server: requests of the protocol, answered from the analysis of the file.

Diagnostics come a moment after each change. Needs the extra `lsp`.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any, Protocol, cast
from urllib.parse import unquote, urlparse

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from ... import __version__
from .analysis import Analysis, Chunk, analyze, is_mlir
from .completion import Suggestion, op_named, suggestions
from .formatting import formatted
from .hover import documentation, hover
from .queries import Range, Symbol, occurrences_at, symbols_of

DELAY = 0.2
"""In seconds: how long nothing must be typed before a file is looked at."""

KINDS = {
    "op": types.CompletionItemKind.Function,
    "dialect": types.CompletionItemKind.Module,
    "value": types.CompletionItemKind.Variable,
    "symbol": types.CompletionItemKind.Function,
    "attribute": types.CompletionItemKind.Property,
    "type": types.CompletionItemKind.TypeParameter,
}

COMPLETION = types.CompletionOptions(trigger_characters=["%", "@", ".", "{"], resolve_provider=True)

log = logging.getLogger("xla-lsp")


class Located(Protocol):
    """The parameters of a request about a place in a file."""

    @property
    def text_document(self) -> types.TextDocumentIdentifier: ...
    @property
    def position(self) -> types.Position: ...


class XlaLanguageServer(LanguageServer):
    """The server, and what it knows of open files."""

    def __init__(self) -> None:
        cast(Any, super()).__init__("xla-lsp", __version__)
        self._analyses: dict[str, Analysis] = {}
        self._waiting: dict[str, asyncio.TimerHandle] = {}

    def analysis(self, uri: str) -> Analysis:
        """What the present text of a file says."""
        text = self.workspace.get_text_document(uri).source
        known = self._analyses.get(uri)
        if known is None or known.lines.text != text:
            known = self._analyses[uri] = analyze(text, filename_of(uri), known, self._encoding)
        return known

    @property
    def _encoding(self) -> str:
        """What columns count, as the client has chosen."""
        chosen = self.server_capabilities.position_encoding
        return "utf-16" if chosen is None else types.PositionEncodingKind(chosen).value

    def changed(self, uri: str, delay: float = DELAY) -> None:
        """Publish the diagnostics of a file when nothing has changed for a while."""
        if (waiting := self._waiting.pop(uri, None)) is not None:
            waiting.cancel()
        self._waiting[uri] = asyncio.get_running_loop().call_later(delay, self._publish, uri)

    def closed(self, uri: str) -> None:
        """Forget a file."""
        if (waiting := self._waiting.pop(uri, None)) is not None:
            waiting.cancel()
        self._analyses.pop(uri, None)
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def _publish(self, uri: str) -> None:
        self._waiting.pop(uri, None)
        version = self.workspace.get_text_document(uri).version
        try:
            analysis = self.analysis(uri)
            diagnostics = [
                types.Diagnostic(
                    range_of(analysis, problem.start, problem.end),
                    problem.message,
                    types.DiagnosticSeverity.Error,
                    source="xla-lsp",
                )
                for problem in analysis.problems()
            ]
        except Exception:
            log.exception("diagnostics of %s", uri)
            return
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics, version))

    def place(self, params: Located) -> tuple[Analysis, Chunk, int] | None:
        """The analysis, the chunk and the offset in it that a request is about; None for what is no MLIR."""
        uri = params.text_document.uri
        analysis = self.analysis(uri)
        if not is_mlir(filename_of(uri), analysis.lines.text):
            return None
        offset = analysis.lines.offset(params.position.line, params.position.character)
        chunk = analysis.chunk_at(offset)
        return analysis, chunk, min(offset - chunk.start, len(chunk.text))


def filename_of(uri: str) -> str:
    """The path of a file, or the whole URI of what is none."""
    parsed = urlparse(uri)
    return unquote(parsed.path) if parsed.scheme == "file" else uri


def range_of(analysis: Analysis, start: int, end: int) -> types.Range:
    """A range of the file, at least one character wide where the line has one."""
    first, last = analysis.lines.place(start), analysis.lines.place(end)
    return types.Range(types.Position(*first), types.Position(*last))


def in_chunk(analysis: Analysis, chunk: Chunk, place: Range) -> types.Range:
    """A range in a chunk as one of the file."""
    return range_of(analysis, chunk.start + place[0], chunk.start + place[1])


def new_server() -> XlaLanguageServer:
    """A server with all that it answers."""
    server = XlaLanguageServer()
    _add_documents(server)
    _add_navigation(server)
    _add_symbols(server)
    _add_editing(server)
    return server


def _add_documents(server: XlaLanguageServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        server.changed(params.text_document.uri, 0)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeTextDocumentParams) -> None:
        server.changed(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        server.closed(params.text_document.uri)

    assert opened and changed and closed


def _add_navigation(server: XlaLanguageServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hovered(params: types.HoverParams) -> types.Hover | None:
        place = server.place(params)
        found = None if place is None else hover(place[1], place[2])
        if place is None or found is None:
            return None
        content = types.MarkupContent(types.MarkupKind.Markdown, found[0])
        return types.Hover(content, in_chunk(place[0], place[1], found[1]))

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def definition(params: types.DefinitionParams) -> list[types.Location]:
        return _locations(server, params, definitions=True, uses=False)

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    def references(params: types.ReferenceParams) -> list[types.Location]:
        return _locations(server, params, definitions=params.context.include_declaration, uses=True)

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def highlights(params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
        found = _locations(server, params, definitions=True, uses=True)
        return [types.DocumentHighlight(location.range) for location in found]

    assert hovered and definition and references and highlights


def _locations(server: XlaLanguageServer, params: Located, *, definitions: bool, uses: bool) -> list[types.Location]:
    place = server.place(params)
    if place is None:
        return []
    analysis, chunk, offset = place
    found = occurrences_at(chunk, offset)
    ranges = [*(found.definitions if definitions else ()), *(found.uses if uses else ())]
    return [types.Location(params.text_document.uri, in_chunk(analysis, chunk, each)) for each in ranges]


def _add_symbols(server: XlaLanguageServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def symbols(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        analysis = server.analysis(params.text_document.uri)
        return [_symbol(analysis, chunk, symbol) for chunk in analysis.chunks for symbol in symbols_of(chunk)]

    assert symbols


def _symbol(analysis: Analysis, chunk: Chunk, symbol: Symbol) -> types.DocumentSymbol:
    is_function = symbol.text.op.name.endswith(".func")
    return types.DocumentSymbol(
        f"@{symbol.name}",
        types.SymbolKind.Function if is_function else types.SymbolKind.Module,
        in_chunk(analysis, chunk, (symbol.text.start, symbol.text.end)),
        in_chunk(analysis, chunk, symbol.place),
        symbol.detail,
        children=[_symbol(analysis, chunk, child) for child in symbol.children],
    )


def _add_editing(server: XlaLanguageServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_COMPLETION, COMPLETION)
    def complete(params: types.CompletionParams) -> list[types.CompletionItem]:
        place = server.place(params)
        if place is None:
            return []
        analysis, chunk, offset = place
        return [_item(analysis, chunk, offset, each) for each in suggestions(chunk, offset)]

    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    def format(params: types.DocumentFormattingParams) -> list[types.TextEdit]:
        uri = params.text_document.uri
        analysis = server.analysis(uri)
        if not is_mlir(filename_of(uri), analysis.lines.text):
            return []
        text, refusals = formatted(analysis)
        if refusals:
            message = "xla-lsp: not formatted: " + "; ".join(refusals)
            server.window_show_message(types.ShowMessageParams(types.MessageType.Warning, message))
        if text == analysis.lines.text:
            return []
        return [types.TextEdit(range_of(analysis, 0, len(analysis.lines.text)), text)]

    @server.feature(types.COMPLETION_ITEM_RESOLVE)
    def resolve(item: types.CompletionItem) -> types.CompletionItem:
        if isinstance(item.data, str) and (op := op_named(item.data)) is not None:
            item.documentation = types.MarkupContent(types.MarkupKind.Markdown, documentation(op))
        return item

    assert complete and format and resolve


def _item(analysis: Analysis, chunk: Chunk, offset: int, suggestion: Suggestion) -> types.CompletionItem:
    replaced = in_chunk(analysis, chunk, (suggestion.start, offset))
    return types.CompletionItem(
        suggestion.label,
        kind=KINDS[suggestion.kind],
        detail=suggestion.detail,
        data=None if suggestion.op is None else suggestion.op.name,
        text_edit=types.TextEdit(replaced, suggestion.label),
        filter_text=suggestion.label,
    )
