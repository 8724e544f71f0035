"""What is public is what docs/python.md says, in both directions; and importing wikiprep costs little."""

import importlib
import inspect
import re
import subprocess
import sys
from importlib import resources
from pathlib import Path

import pytest

import wikiprep

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^### `(?:wikiprep\.)?(\w+)`\n(.*?)(?=^##|\Z)", PAGE, re.MULTILINE | re.DOTALL))
NEEDS_TORCH = ("RecordDataset", "RecordStream", "MaskedBatches", "MaskedStream")
NAMES = [name for name in wikiprep.__all__ if not name.startswith("_")]
SLOW = ("torch", "pyarrow", "numpy", "tokenizers", "icu4py", "click", "rich")


def public(name: str) -> object:
    if name in NEEDS_TORCH:
        pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]'")
    return getattr(wikiprep, name)


def members(cls: type) -> set[str]:
    """Public methods, properties and fields: its own, and those of bases of ours that are not public themselves."""

    def of(bases: list[type]) -> set[str]:
        return {name for base in bases for name in (*vars(base), *inspect.get_annotations(base))}

    bases = [
        base
        for base in cls.__mro__
        if base is cls or (base.__module__.startswith("wikiprep.") and base.__name__ not in wikiprep.__all__)
    ]
    others = of([base for base in cls.__mro__ if base not in bases])
    for base in cls.__mro__[1:]:
        others |= members(base) if base.__name__ in wikiprep.__all__ else set()
    return {name for name in of(bases) - others if not name.startswith("_")}


def documented(name: str) -> set[str]:
    """The names in the first column of a section's table."""
    rows = re.findall(r"^\| (`[^|]*) \|", SECTIONS[name], re.MULTILINE)
    return {word for row in rows for word in re.findall(r"`(\w+)(?:\([^`]*\))?`", row)}


def test_each_public_name_has_a_section_and_each_section_a_name() -> None:
    assert sorted(SECTIONS) == sorted(NAMES)
    assert set(wikiprep.__all__) <= set(dir(wikiprep))


@pytest.mark.parametrize("name", NAMES)
def test_methods_and_fields_stand_in_the_section_of_their_class(name: str) -> None:
    found = public(name)
    assert inspect.getdoc(found)
    if isinstance(found, type):
        assert documented(name) == members(found)
        for member in members(found):
            made = getattr(found, member, None)
            if inspect.isfunction(made) or isinstance(made, property):
                assert inspect.getdoc(made), f"{name}.{member}"


@pytest.mark.parametrize("name", [name for name in NAMES if name in ("open", "build", "extract")])
def test_signatures_are_as_the_page_has_them(name: str) -> None:
    (written,) = re.findall(rf"`wikiprep\.{name}\(([^`]*)\)`", SECTIONS[name])
    words = [word.partition("=")[0].strip() for word in re.sub(r"\([^)]*\)", "", written).split(",")]
    signature = inspect.signature(getattr(wikiprep, name))
    assert [word.lstrip("*") for word in words] == list(signature.parameters)


@pytest.mark.parametrize("name", NEEDS_TORCH)
def test_options_of_datasets_stand_in_the_page(name: str) -> None:
    options = set(inspect.signature(public(name)).parameters) - {"corpus", "options"}
    text = SECTIONS[name] + SECTIONS["RecordStream"]
    assert {option for option in options if not re.search(rf"\b{option}\b", text)} == set()


def test_modules_that_other_pages_show_are_listed_and_exist() -> None:
    listed = set(re.findall(r"`(wikiprep\.[\w.]+)`", PAGE.partition("## Modules that other pages show")[2]))
    pages = [page for page in sorted((ROOT / "docs").glob("*.md")) if page.name != "python.md"]
    shown = {
        name
        for page in [ROOT / "README.md", *pages]
        for name in re.findall(r"^(?:from|import) (wikiprep\.[\w.]+)", page.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert shown <= listed
    for name in listed:
        path = ROOT / name.replace(".", "/").replace("wikiprep/pipelines", "pipelines")
        assert path.with_suffix(".py").is_file() or (path / "__init__.py").is_file(), name


def test_a_name_that_is_not_public_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Copus'"):
        _ = wikiprep.Copus


def loaded(code: str) -> set[str]:
    code += "; import sys; print(*sys.modules)"
    output = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    return {name.partition(".")[0] for name in output.split()}


def test_importing_and_opening_load_nothing_slow(tmp_path: Path) -> None:
    (tmp_path / "articles").mkdir()
    assert not loaded(f"import wikiprep; dir(wikiprep); wikiprep.open({str(tmp_path)!r})") & set(SLOW)


def test_all_but_the_datasets_work_without_torch() -> None:
    code = "import wikiprep; [getattr(wikiprep, name) for name in wikiprep.__all__ if not name.startswith({})]"
    assert "torch" not in loaded(code.format(("RecordD", "RecordS", "Masked")))


def test_without_torch_the_datasets_say_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name == "wikiprep.pretrain.datasets"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delitem(vars(wikiprep), "MaskedBatches", raising=False)
    real = importlib.import_module

    def import_module(name: str, package: str | None = None) -> object:
        if name == "wikiprep.pretrain.datasets":
            raise ModuleNotFoundError("No module named 'torch'", name="torch")
        return real(name, package)

    monkeypatch.setattr(importlib, "import_module", import_module)
    with pytest.raises(wikiprep.WikiprepError, match=r'pip install "wikiprep\[train\]"'):
        _ = wikiprep.MaskedBatches


def test_the_package_says_that_it_is_typed() -> None:
    assert (resources.files("wikiprep") / "py.typed").is_file()
