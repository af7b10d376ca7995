"""Local sources: where links lead, and that nothing outside the repository is opened."""

import os
import socket
from pathlib import Path

import pytest

from tracecite_lint.sources.errors import SourceError
from tracecite_lint.sources.files import MAX_BYTES, LocalSource, read_local, resolve_local

SECRET = "nobody may read these words"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with a document in docs/, and secrets beside it."""
    root = tmp_path / "repository"
    (root / "docs").mkdir(parents=True)
    (root / "docs" / "report.md").write_text("A report.\n")
    (root / "docs" / "notes.txt").write_text("The words of the notes.\n")
    (root / "top.txt").write_text("The words at the top.\n")
    (tmp_path / "secret.txt").write_text(SECRET)
    (tmp_path / "secrets").mkdir()
    (tmp_path / "secrets" / "secret.txt").write_text(SECRET)
    return root


def resolved(uri: str, root: Path, **options: Path) -> LocalSource:
    return resolve_local(uri, document=root / "docs" / "report.md", root=root, **options)


def code_of(source: LocalSource) -> str:
    with pytest.raises(SourceError) as raised:
        read_local(source)
    assert "\n" not in raised.value.message
    return raised.value.code


@pytest.mark.parametrize(
    ("uri", "path", "fragment"),
    [
        ("notes.txt", "docs/notes.txt", ""),
        ("./notes.txt", "docs/notes.txt", ""),
        ("../top.txt#heading", "docs/../top.txt", "heading"),
        ("notes.txt#L10-L20", "docs/notes.txt", "L10-L20"),
        ("a.pdf#page=3", "docs/a.pdf", "page=3"),
        ("notes.txt?plain=1#a#b", "docs/notes.txt", "a#b"),
        ("my%20notes%23.txt", "docs/my notes#.txt", ""),
        ("b%C3%BCcher.txt", "docs/bücher.txt", ""),
        ("bücher.txt", "docs/bücher.txt", ""),
        ("/top.txt", "top.txt", ""),
        ("#heading", "docs/report.md", "heading"),
        ("file:top.txt", "top.txt", ""),
        ("FILE:docs/notes.txt#x", "docs/notes.txt", "x"),
    ],
)
def test_a_link_leads_to_a_file(uri, path, fragment, repository):
    source = resolved(uri, repository)
    assert source == LocalSource(repository / path, fragment, repository)


def test_a_file_uri_is_absolute_or_starts_at_the_working_directory(repository, tmp_path):
    assert resolved("file:///etc/x%20y", repository).path == Path("/etc/x y")
    assert resolved("file://localhost/etc/x", repository).path == Path("/etc/x")
    assert resolved("file:a.txt", repository, cwd=tmp_path).path == tmp_path / "a.txt"


@pytest.mark.parametrize(
    ("uri", "code"),
    [
        ("mailto:a@b.org", "UNSUPPORTED_SOURCE_URI"),
        ("doi:10.1000/182", "UNSUPPORTED_SOURCE_URI"),
        ("data:text/plain,a", "UNSUPPORTED_SOURCE_URI"),
        ("file://server/share/a", "UNSUPPORTED_SOURCE_URI"),
        ("file://[server/a", "UNSUPPORTED_SOURCE_URI"),
        ("a%00b", "SOURCE_UNAVAILABLE"),
        ("a%ff", "SOURCE_UNAVAILABLE"),
        ("a\ud800", "SOURCE_UNAVAILABLE"),
    ],
)
def test_what_is_no_file_is_said_to_be_that(uri, code, repository):
    with pytest.raises(SourceError) as raised:
        resolved(uri, repository)
    assert raised.value.code == code


def test_one_file_is_one_source_whatever_its_fragment_and_another_one_under_another_root(
    repository,
):
    nested = resolve_local("notes.txt", document=repository / "docs/a.md", root=repository / "docs")
    assert nested.path == resolved("notes.txt", repository).path
    assert nested.key != resolved("notes.txt", repository).key
    assert resolved("notes.txt#a", repository).key == resolved("notes.txt", repository).key
    assert resolved("notes.txt", repository).key != resolved("/top.txt", repository).key


def test_a_file_is_read(repository):
    page = read_local(resolved("notes.txt", repository))
    assert page.text.strip() == "The words of the notes."
    assert page.status == 0
    assert page.final_url == (repository / "docs" / "notes.txt").as_uri()


@pytest.mark.parametrize(
    "uri",
    [
        "../../secret.txt",
        "/../secret.txt",
        "%2e%2e/../secret.txt",
        "../docs/../../secret.txt",
        "file:../secret.txt",
        "/etc/../../../../../../etc/passwd",
        "file:///etc/passwd",
        "file:///dev/zero",
        "link.txt",
        "link-to-directory/secret.txt",
        "absolute.txt",
        "missing-outside.txt",
        "device",
        "/.git/config",
        "/.GIT/config",
        "../.git",
        "git-link/config",
        "/sub/.git",
    ],
)
def test_nothing_outside_the_repository_or_of_gits_own_is_opened(uri, repository, monkeypatch):
    docs = repository / "docs"
    (docs / "link.txt").symlink_to("../../secret.txt")
    (docs / "link-to-directory").symlink_to("../../secrets")
    (docs / "absolute.txt").symlink_to(repository.parent / "secret.txt")
    (docs / "missing-outside.txt").symlink_to("../../no-such-file")
    (docs / "device").symlink_to("/dev/zero")
    (docs / "git-link").symlink_to("../.git")
    monkeypatch.setattr(os, "open", lambda path, *_, **__: pytest.fail(f"{path} was opened"))
    assert code_of(resolved(uri, repository)) == "URL_BLOCKED"


def test_a_link_within_the_repository_is_followed(repository):
    (repository / "docs" / "link.txt").symlink_to("../top.txt")
    page = read_local(resolved("link.txt", repository))
    assert page.text.strip() == "The words at the top."


def test_the_repository_itself_may_be_reached_through_a_link(repository, tmp_path):
    (tmp_path / "alias").symlink_to(repository)
    alias = tmp_path / "alias"
    assert read_local(resolved("notes.txt", alias)).text


def test_a_link_to_itself_is_unavailable(repository):
    (repository / "docs" / "loop.txt").symlink_to("loop.txt")
    assert code_of(resolved("loop.txt", repository)) == "SOURCE_UNAVAILABLE"


@pytest.mark.parametrize(
    "uri",
    ["no-such-file.txt", ".", "/", "x" * 300, "notes.txt/x", "/" + "x/" * 3000, "a%0Ab", "a%1Bb"],
)
def test_what_is_no_regular_file_is_unavailable(uri, repository):
    assert code_of(resolved(uri, repository)) == "SOURCE_UNAVAILABLE"


def test_a_pipe_and_a_socket_do_not_block(repository, monkeypatch):
    os.mkfifo(repository / "docs" / "pipe")
    assert code_of(resolved("pipe", repository)) == "SOURCE_UNAVAILABLE"
    monkeypatch.chdir(repository)  # the path of a socket has to be short
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("s")
        assert code_of(resolved("/s", repository)) == "SOURCE_UNAVAILABLE"


@pytest.mark.skipif(os.getuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_unavailable(repository):
    (repository / "docs" / "notes.txt").chmod(0)
    assert code_of(resolved("notes.txt", repository)) == "SOURCE_UNAVAILABLE"


def test_two_mebibytes_are_read_and_no_byte_more(repository):
    path = repository / "docs" / "notes.txt"
    path.write_bytes(b"word " * (MAX_BYTES // 5) + b" " * (MAX_BYTES % 5))
    assert path.stat().st_size == MAX_BYTES
    assert read_local(resolved("notes.txt", repository)).text
    path.write_bytes(path.read_bytes() + b"x")
    assert code_of(resolved("notes.txt", repository)) == "SOURCE_TOO_LARGE"


def test_a_reader_gives_what_is_to_be_committed(repository):
    def reader(path: Path) -> bytes | None:
        return b"Staged words." if path.name in {"notes.txt", "only-staged.txt"} else None

    def text(uri: str) -> str:
        return read_local(resolved(uri, repository), reader=reader).text.strip()

    assert text("notes.txt") == "Staged words."
    assert text("only-staged.txt") == "Staged words."
    assert text("/top.txt") == "The words at the top."


def test_a_reader_is_not_asked_for_what_lies_outside(repository):
    with pytest.raises(SourceError) as raised:
        read_local(
            resolved("../../secret.txt", repository),
            reader=lambda path: pytest.fail(f"{path} was asked for"),
        )
    assert raised.value.code == "URL_BLOCKED"


def test_a_reader_is_held_to_the_same_size(repository):
    with pytest.raises(SourceError) as raised:
        read_local(
            resolved("notes.txt", repository),
            reader=lambda _: b"x" * (MAX_BYTES + 1),
        )
    assert raised.value.code == "SOURCE_TOO_LARGE"


@pytest.mark.parametrize(
    ("uri", "fragment"),
    [
        ("[[a note]]", ""),
        ("[[a note.md]]", ""),
        ("[[A Note#The Heading]]", "the-heading"),
        ("[[a note#^block-1]]", ""),
        ("[[docs/deep/a note]]", ""),
    ],
)
def test_a_link_of_a_vault_leads_to_the_note_of_that_name(uri, fragment, repository):
    (repository / "docs" / "deep").mkdir()
    (repository / "docs" / "deep" / "a note.md").write_text("The words of the note.")
    (repository / ".hidden").mkdir()
    (repository / ".hidden" / "a note.md").write_text(SECRET)
    source = resolved(uri, repository)

    assert source.fragment == fragment
    assert read_local(source).text.strip() == "The words of the note."


def test_of_several_notes_the_one_with_the_shortest_path_counts(repository):
    (repository / "docs" / "note.md").write_text("Deep.")
    (repository / "note.md").write_text("At the top.")

    assert read_local(resolved("[[note]]", repository)).text.strip() == "At the top."


@pytest.mark.parametrize(
    "uri", ["[[../secret]]", "[[../secret.txt]]", "[[/etc/passwd]]", "[[nowhere]]"]
)
def test_a_link_of_a_vault_leads_nowhere_else(uri, repository):
    assert code_of(resolved(uri, repository)) in {"SOURCE_UNAVAILABLE", "URL_BLOCKED"}
