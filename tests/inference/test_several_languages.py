"""A run on wikis of two languages that share entity ids: titles of each in `predict`, the export, and transformers."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import torch
from click.testing import CliRunner, Result
from entity_dumps import item
from inline import build, write_dump, xml_page
from tokenizers import AddedToken, Tokenizer, models, pre_tokenizers, trainers
from transformers import AutoTokenizer, LukeForMaskedLM, LukeTokenizer, MLukeTokenizer

from wikiprep.applications.vocabularies import merge
from wikiprep.cli.main import cli
from wikiprep.errors import UsageError
from wikiprep.pretrain.open_checkpoint import open_model
from wikiprep.pretrain.ranks import join_ranks
from wikiprep.pretrain.trained import MarkedText
from wikiprep.tables.merge_vocabularies import MergeOptions

# Of each wiki: title -> (item, text); what both have, what one has, and a title that means another thing in the other.
WIKIS: dict[str, dict[str, tuple[int, str]]] = {
    "en": {
        "Moon": (
            405,
            "The Moon goes around the [[Earth]]. [[Gift]]s are seldom on the Moon, and the [[Earth]] is far.",
        ),
        "Earth": (2, "The Earth has one [[Moon]]. The [[Sun]] shines on the Earth and on the [[Moon]] alike."),
        "Sun": (525, "The Sun shines on the [[Earth]] and on the [[Moon]], and is a [[Gift]] to all of them."),
        "Gift": (
            184303,
            "A gift is given. The [[Sun]] is a gift to the [[Earth]], as some people say of the [[Moon]].",
        ),
    },
    "de": {
        "Mond": (405, "Der Mond kreist um die [[Erde]]. Auf dem Mond ist kein [[Gift]], auf der [[Erde]] aber schon."),
        "Erde": (2, "Die Erde hat einen [[Mond]]. Die [[Sonne]] scheint auf die Erde und auf den [[Mond]] zugleich."),
        "Sonne": (525, "Die Sonne scheint auf die [[Erde]] und auf den [[Mond]], und ist kein [[Gift]] für uns alle."),
        "Gift": (
            40867,
            "Ein Gift ist giftig. Die [[Sonne]] ist kein Gift, und der [[Mond]] und die [[Erde]] auch nicht.",
        ),
    },
}
REDIRECTS = {"en": {"Luna": "Moon"}, "de": {"Erdmond": "Mond"}}
TEXT = "The Moon and the Earth shine"  # nothing glued to a mention: MLukeTokenizer reads what follows one as a new word
SPANS = ((4, 8), (17, 22))


def call(*words: object) -> Result:
    result = CliRunner().invoke(cli, [str(word) for word in words])
    assert result.exit_code == 0, (result.output, result.exception)
    return result


def unigram(path: Path) -> str:
    """SentencePiece's model as XLM-RoBERTa has it, with its special tokens."""
    texts = [text.replace("[", "").replace("]", "") for wiki in WIKIS.values() for _, text in wiki.values()]
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    names = ["<s>", "<pad>", "</s>", "<unk>"]
    trainer = trainers.UnigramTrainer(
        vocab_size=120, special_tokens=names, unk_token="<unk>", show_progress=False, initial_alphabet=list("ßzZ.,")
    )
    tokenizer.train_from_iterator(texts, trainer)
    document = json.loads(tokenizer.to_str())
    document["model"]["vocab"].append(["<mask>", 0.0])
    tokenizer = Tokenizer.from_str(json.dumps(document))
    tokenizer.add_special_tokens(
        [AddedToken(name, special=True, normalized=False, lstrip=name == "<mask>") for name in (*names, "<mask>")]
    )
    tokenizer.save(str(path))
    return str(path)


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Both wikis with the merged vocabulary; "tokenizer.json" beside it is a Unigram."""
    folder = tmp_path_factory.mktemp("languages")
    tokenizer, items = unigram(folder / "tokenizer.json"), folder / "items.json"
    sitelinks: dict[int, dict[str, Any]] = {}
    for language, pages in WIKIS.items():
        for title, (number, _) in pages.items():
            sitelinks.setdefault(number, {})[f"{language}wiki"] = {
                "site": f"{language}wiki",
                "title": title,
                "badges": [],
            }
    lines = [json.dumps(item(number) | {"sitelinks": found}) for number, found in sitelinks.items()]
    items.write_text("[\n" + ",\n".join(lines) + "\n]\n")
    made = {}
    for step in ("tables", "corpus"):
        for language, pages in WIKIS.items():
            pages_of = [xml_page(n, title, text) for n, (title, (_, text)) in enumerate(pages.items(), 1)]
            pages_of += [
                xml_page(n, title, "", redirect=to) for n, (title, to) in enumerate(REDIRECTS[language].items(), 50)
            ]
            dump = write_dump(folder / f"{language}wiki.xml", *pages_of, language=language)
            sections: dict[str, dict[str, Any]] = {
                "wikidata": {"wikidata": str(items)},
                "records": {"min_sentence_length": 1},
                "tokenizer": {"tokenizer": tokenizer},
            }
            if step == "corpus":
                sections["vocabulary"] = {"entity_vocab": str(folder / "shared" / "entity_vocab.jsonl")}
            made[f"{language} {step}"] = folder / f"{language}-{step}"
            build(made[f"{language} {step}"], dump, sections=sections)
        if step == "tables":
            merge([str(made["de tables"]), str(made["en tables"])], str(folder / "shared"), MergeOptions(1, 100))
    return {language: made[f"{language} corpus"] for language in WIKIS}


@pytest.fixture(scope="module")
def run(corpora: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run") / "run"
    options = ("data.global_batch=4", "log.evaluate_every=0", "data.held_out=0", "model.entity_aware_attention=true")
    words = [word for option in options for word in ("--set", option)]
    both = ("--corpus", corpora["en"], "--corpus", corpora["de"])
    call("pretrain", *both, "--config", "tiny", "--output", folder, *words, "--max-steps", 3, "--quiet")
    return folder


def entities(found: Result) -> list[dict[str, Any]]:
    return [mention["entities"] for line in found.stdout.splitlines() for mention in json.loads(line)["mentions"]]


def test_predict_tells_titles_of_each_language(run: Path) -> None:
    marked = "The [Moon] and the [Earth]."
    (one, two), (en, _), (de, _) = (
        entities(call("predict", run, marked, "--json", "-k", 20, *language))
        for language in ((), ("--language", "en"), ("--language", "de"))
    )
    assert {guess["title"] for guess in one} == {"[UNK]", "en:Moon", "en:Earth", "en:Sun", "en:Gift", "de:Gift"}
    assert {guess["title"] for guess in en} == {"[UNK]", "Moon", "Earth", "Sun", "Gift", "de:Gift"}
    assert {guess["title"] for guess in de} == {"[UNK]", "Mond", "Erde", "Sonne", "Gift", "en:Gift"}
    assert [g["score"] for g in one] == [g["score"] for g in en] == [g["score"] for g in de] and len(two) == 6
    assert [g.get("qid") for g in one] == [g.get("qid") for g in de]
    items = {title: f"Q{item}" for title, (item, _) in WIKIS["de"].items()}
    assert {g["title"]: g["qid"] for g in de if g["title"] in items} == items
    said = CliRunner().invoke(cli, ["predict", str(run), marked, "--language", "ja"]).exception
    assert isinstance(said, UsageError) and "no titles in it" in said.what and "en, de" in said.hint


@pytest.mark.parametrize(
    ("language", "target", "entity", "found"),
    [
        ((), "de:Mond", "de:Mond", "title"),
        ((), "en:Luna", "en:Moon", "redirect"),
        ((), "Mond", "[UNK]", "unknown"),
        (("--language", "de"), "Mond", "Mond", "title"),
        (("--language", "de"), "Erdmond", "Mond", "redirect"),
        (("--language", "de"), "en:Moon", "en:Moon", "title"),
        (("--language", "en"), "Luna", "Moon", "redirect"),
        (("--language", "en"), "Mond", "[UNK]", "unknown"),
    ],
)
def test_links_are_found_by_titles_of_each_language(
    run: Path, tmp_path: Path, language: tuple[str, ...], target: str, entity: str, found: str
) -> None:
    lines = tmp_path / "lines.jsonl"
    link = {"start": SPANS[0][0], "end": SPANS[0][1]}
    by_item = link | {"qid": "Q405"}
    lines.write_text(
        "".join(json.dumps({"text": TEXT, "links": [one]}) + "\n" for one in (link | {"target": target}, by_item))
    )
    first, second = (
        json.loads(line)["mentions"][0]
        for line in call("predict", run, "--input", lines, *language).stdout.splitlines()
    )
    assert (first["entity"], first["found"]) == (entity, found)
    assert second["found"] == "qid" and second["entity"].removeprefix("en:").removeprefix("de:") in ("Moon", "Mond")
    if language:
        assert second["entity"] == {"en": "Moon", "de": "Mond"}[language[1]]


def test_evaluate_knows_both_corpora(run: Path, corpora: dict[str, Path], tmp_path: Path) -> None:
    call("export-hf", run, tmp_path / "hf")
    config = tmp_path / "held.toml"
    config.write_text('family = "luke"\n[data]\nheld_out = 0.6\n[training]\nprecision = "float32"\n')
    words = ("--corpus", corpora["en"], "--corpus", corpora["de"], "--config", config, "--json", "--all")
    shown = [json.loads(call("evaluate", model, *words).stdout) for model in (run, tmp_path / "hf")]
    assert shown[0]["records"] > 0 and shown[0]["as_trained"] == shown[1]["as_trained"]


def test_transformers_has_the_same_entities_and_logits(run: Path, tmp_path: Path) -> None:
    said = call("export-hf", run, tmp_path / "hf").stderr
    assert "MLukeTokenizer" in said and "by hand" not in said
    vocabulary = json.loads((tmp_path / "hf" / "entity_vocab.json").read_text())
    assert vocabulary["en:Moon"] == vocabulary["de:Mond"] != vocabulary["en:Gift"] != vocabulary["de:Gift"]
    with join_ranks(1) as ranks:
        trained = open_model(str(run), ranks, "de").trained
        scores = trained.scores_of(
            [MarkedText(TEXT, SPANS, (None, None))], [[["Mond", "Erde", "Sonne", "Gift", "en:Gift"]] * 2]
        )[0]
        again = open_model(str(tmp_path / "hf"), ranks, "de").trained
        assert entities_of(again) == entities_of(trained)
    model = LukeForMaskedLM.from_pretrained(tmp_path / "hf").eval()
    own = trained.about.tokenizer.encode(TEXT).ids  # type: ignore[attr-defined]
    names = ("de:Mond", "de:Erde", "de:Sonne", "de:Gift", "en:Gift")
    for tokenizer in (MLukeTokenizer.from_pretrained(tmp_path / "hf"), AutoTokenizer.from_pretrained(tmp_path / "hf")):
        assert isinstance(tokenizer, MLukeTokenizer) and len(tokenizer) <= model.config.vocab_size
        assert tokenizer.entity_vocab == vocabulary
        asked = tokenizer(TEXT, entity_spans=list(SPANS), return_tensors="pt")
        assert asked["input_ids"][0].tolist() == [0, *own, 2]
        assert asked["entity_ids"].tolist() == [[vocabulary["[MASK]"]] * 2]
        named = tokenizer(TEXT, entities=["de:Mond", "en:Earth"], entity_spans=list(SPANS))
        assert named["entity_ids"] == [vocabulary["en:Moon"], vocabulary["de:Erde"]]
        with torch.no_grad():
            logits = model(**asked).entity_logits[0]
        theirs = logits[:, [vocabulary[name] for name in names]].numpy()
        for ours, row in zip(scores, theirs, strict=True):
            assert abs(ours - row).max() < 1e-5
    for task, spans in (("entity_classification", 1), ("entity_pair_classification", 2)):
        asked = MLukeTokenizer.from_pretrained(tmp_path / "hf", task=task)(TEXT, entity_spans=list(SPANS[:spans]))
        assert max(asked["input_ids"]) < model.config.vocab_size


def test_the_example_of_the_page_runs(run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = Path(__file__).parents[2] / "docs" / "multilingual.md"
    (example,) = re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    call("export-hf", run, tmp_path / "mluke-of-mine")
    monkeypatch.chdir(tmp_path)
    found: dict[str, Any] = {}
    exec(example.replace("ja:オスロ", "de:Mond"), found)
    vocabulary = json.loads((tmp_path / "mluke-of-mine" / "entity_vocab.json").read_text())
    assert found["asked"]["entity_ids"].tolist() == [[vocabulary["de:Mond"]]]


def entities_of(trained: Any) -> list[tuple[str, float, str | None]]:
    ((mentions,)) = trained.predict([MarkedText(TEXT, SPANS, (None, None))], 3, words_masked=False)
    return [(guess.title, round(guess.score, 6), guess.qid) for guesses in mentions for guess in guesses]


def test_entities_of_a_task_are_added_to_an_export(run: Path, tmp_path: Path) -> None:
    call("export-hf", run, tmp_path / "hf", "--entity", "[HEAD]")
    asked = MLukeTokenizer.from_pretrained(tmp_path / "hf")(TEXT, entities=["[HEAD]"], entity_spans=[SPANS[0]])
    assert asked["entity_ids"] == [json.loads((tmp_path / "hf" / "entity_vocab.json").read_text())["[HEAD]"]]
    found = entities(call("predict", tmp_path / "hf", "The [Moon].", "--json", "-k", 2, "--language", "de"))
    assert len(found[0]) == 2


def test_a_run_starts_from_the_export_of_another_by_titles_of_all_languages(
    run: Path, corpora: dict[str, Path], tmp_path: Path
) -> None:
    call("export-hf", run, tmp_path / "hf")
    both = ("--corpus", corpora["de"], "--corpus", corpora["en"])
    words = ("--set", f"model.start={tmp_path / 'hf'}", "--set", "data.global_batch=4", "--max-steps", 1, "--quiet")
    call("pretrain", *both, "--config", "tiny", "--output", tmp_path / "run", *words)
    log = [json.loads(line) for line in (tmp_path / "run" / "log.jsonl").read_text().splitlines()]
    (rows,) = [line["entity_rows"] for line in log if line["event"] == "model"]
    assert (rows["by_qid"] + rows["by_title"], rows["unmatched"], rows["unused"]) == (5, 0, 0)


def test_byte_level_bpe_goes_to_luke_tokenizer_with_the_same_names(
    run: Path, tmp_path: Path, sample_corpus: Path
) -> None:
    """What the export writes of names is the same whatever the tokenizer."""
    from wikiprep.pretrain.luke.export import LUKE_TOKENIZER, MLUKE_TOKENIZER, PLAIN_TOKENIZER, kind_of

    assert kind_of(Tokenizer.from_file(str(sample_corpus / "tokenizer" / "tokenizer.json"))) == LUKE_TOKENIZER
    assert kind_of(Tokenizer.from_file(str(run / "about" / "tokenizer.json"))) == MLUKE_TOKENIZER
    assert kind_of(Tokenizer(models.Unigram([("<unk>", 0.0)], 0))) == PLAIN_TOKENIZER
    assert LukeTokenizer is not MLukeTokenizer
