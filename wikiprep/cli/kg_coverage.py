"""`wikiprep kg-coverage`: how many subwords of texts have an entity of a graph."""

import click

from wikiprep.errors import UsageError


@click.command("kg-coverage")
@click.argument("knowledge", type=click.Path())
@click.option("--task", help="A public task whose data --data holds, such as semeval2010.")
@click.option("--data", type=click.Path(), help="Its folder.")
@click.option("--split", default="dev", help="train, dev or test. [dev]")
@click.option("--texts", type=click.Path(), help="Instead of a task: a file with a text a line.")
@click.option("--tokenizer", required=True, type=click.Path(), help="A tokenizer.json.")
@click.option("--length", type=click.IntRange(1), default=128, help="Subwords of a sequence at most. [128]")
@click.option("--tagger", help="A spaCy pipeline, by name or folder, for parts of speech. [none: order of senses]")
@click.option("--phrases", type=click.IntRange(1), default=1, help="Runs of up to so many words too. [1]")
@click.option("--wordnet", type=click.Path(), help="Folder of WordNet 3.0. [where it is installed]")
@click.option("--mentions", type=click.Path(), help="A corpus with mention statistics, for graphs of titles and items.")
def command(
    knowledge: str,
    task: str | None,
    data: str | None,
    split: str,
    texts: str | None,
    tokenizer: str,
    length: int,
    tagger: str | None,
    phrases: int,
    wordnet: str | None,
    mentions: str | None,
) -> None:
    """Print the mean number of subwords with an entity, of those of a sequence.

    KNOWLEDGE is a folder of kg-embed. The tags that a data set brings along (TACRED, CoNLL) are used unless --tagger is
    given.
    """
    if (texts is None) == (task is None) or (task is None) != (data is None):
        raise UsageError("give --task and --data, or --texts", "such as: --task semeval2010 --data FOLDER")
    from wikiprep.cli.needs_torch import needs_torch

    with needs_torch("knowledge"):
        from wikiprep.knowledge.folder import open_knowledge
    from wikiprep.knowledge.coverage import coverage, open_tokenizer
    from wikiprep.knowledge.lexicons import lexicon_of
    from wikiprep.knowledge.linker import Linker
    from wikiprep.knowledge.show import show_coverage
    from wikiprep.knowledge.task_texts import plain_texts, task_texts
    from wikiprep.knowledge.words import plain_words

    words = plain_words
    if tagger is not None:
        from wikiprep.knowledge.spacy_tagger import spacy_tagger

        words = spacy_tagger(tagger)
    found = lexicon_of(open_knowledge(knowledge), wordnet=wordnet, corpus=mentions)
    if task is not None and data is not None:
        given = task_texts(task, data, split, tags=tagger is None)
    else:
        given = plain_texts(str(texts))
    linker = Linker(found.lexicon, words, phrases)
    shown = f"{task} {split}" if task else str(texts)
    by = f"{found.by}; tags: {tagger or 'the data set, where it has some'}"
    show_coverage(shown, coverage(given, linker, open_tokenizer(tokenizer), length), by)
