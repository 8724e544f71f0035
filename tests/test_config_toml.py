from pathlib import Path

import pytest

from wikiprep.config import Config, apply
from wikiprep.config_toml import dump, load
from wikiprep.errors import UsageError


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    config = apply(
        Config(),
        {"vocabulary": {"vocab_size": 77, "vocab_targets": "linked"}, "tokenizer": {"tokenizer": 'train:"9"\\'}},
    )
    path = tmp_path / "config.toml"
    path.write_text(dump(config), encoding="utf-8")
    assert apply(Config(), load(path).sections) == config


def test_a_path_is_a_comment_cut_to_its_last_part(tmp_path: Path) -> None:
    folder = tmp_path / "secret" / "roberta"
    folder.mkdir(parents=True)
    text = dump(apply(Config(), {"tokenizer": {"tokenizer": str(folder)}}))
    assert '# tokenizer = "roberta"' in text
    assert "secret" not in text


def test_a_pipe_is_known_where_it_is_not_any_more(tmp_path: Path) -> None:
    # The file is written by a worker of an engine, which has no pipes of the command's.
    for path in ("/dev/fd/987", "/proc/self/fd/987"):
        assert '# template_table = "a pipe"' in dump(apply(Config(), {"extract": {"template_table": path}}))
    gone = str(tmp_path / "secret" / "table.txt")
    assert '# template_table = "table.txt"' in dump(apply(Config(), {"extract": {"template_table": gone}}))


def test_top_level_and_run_options(tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    path.write_text('dumps = ["a.xml"]\noutput = "o"\n[run]\nworkers = 3\n[records]\ntext = true\n')
    given = load(path)
    assert given.top == {"dumps": ["a.xml"], "output": "o"}
    assert given.run == {"workers": 3}
    assert given.sections == {"records": {"text": True}}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a = ", "not a TOML file"),
        ("colour = 1", "unknown key 'colour'"),
        ("[nope]", "unknown section"),
        ("preset = ['a']", "preset = .* wrong type"),
        ("output = 3", "output = 3 .* wrong type"),
        ("dumps = 3", "dumps = 3 .* wrong type"),
        ("dumps = [3]", "dumps = .* wrong type"),
    ],
)
def test_a_wrong_file_is_named(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "c.toml"
    path.write_text(text)
    with pytest.raises(UsageError, match=words) as caught:
        load(path)
    assert "c.toml" in caught.value.what


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        load(tmp_path / "missing.toml")


def test_one_dump_needs_no_list_and_a_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    path.write_text('\ufeffdumps = "a.xml"\n', encoding="utf-8")
    assert load(path).top == {"dumps": ["a.xml"]}
