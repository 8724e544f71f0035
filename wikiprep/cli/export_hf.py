"""`wikiprep export-hf`: a trained model for Hugging Face's transformers."""

from pathlib import Path

import click

from wikiprep.cli.output_types import FOLDER
from wikiprep.errors import UsageError
from wikiprep.extra_packages import needs_torch
from wikiprep.verbosity import tell


@click.command("export-hf")
@click.argument("checkpoint", metavar="RUN_OR_CHECKPOINT", type=click.Path())
@click.argument("out", type=FOLDER, required=False)
@click.option("--output", "-o", type=FOLDER, help="New folder to write, in the place of OUT.")
@click.option(
    "--entity",
    "entities",
    multiple=True,
    metavar="NAME",
    help="Add an entity of that name, such as [HEAD], as a copy of [MASK]. May be given several times.",
)
def command(checkpoint: str, out: str | None, output: str | None, entities: tuple[str, ...]) -> None:
    """Write a trained LUKE to the folder OUT, which LukeForMaskedLM and LukeTokenizer load, or a fine-tuned one.

    LukeTokenizer knows byte-level BPE alone, as RoBERTa has it, MLukeTokenizer SentencePiece as XLM-RoBERTa has it;
    with another tokenizer, as BERT's, the folder has a PreTrainedTokenizerFast, and entity inputs are to be made by
    hand. RUN_OR_CHECKPOINT is a run (its newest checkpoint) or one of its checkpoints. Of SPOT it is the text encoder,
    for RobertaForMaskedLM.

    A run of finetune gives the weights that it keeps, for LukeForEntityClassification, LukeForEntityPairClassification,
    LukeForEntitySpanClassification or LukeForQuestionAnswering, by its task; for RobertaForQuestionAnswering, if it
    answers questions of words alone. Other heads have no class there and are refused.
    """
    if out is not None and output is not None:
        raise UsageError(f"OUT {out} and --output {output}", "name the folder once")
    out = out or output
    if out is None:
        raise UsageError("no folder to write is given", "give --output FOLDER")
    with needs_torch():
        from wikiprep.inference.export_hf import PARTS, export_hf
        from wikiprep.tasks.finetune.export_hf import export_finetuned, is_finetuned

    if is_finetuned(checkpoint):
        if entities:
            raise UsageError("--entity: a fine-tuned run has the entities of its task", "leave the option out")
        finetuned_export = export_finetuned(checkpoint, Path(out))
        model, source, tokenizer = finetuned_export.model, finetuned_export.run, finetuned_export.tokenizer
    else:
        from wikiprep.terminal.command_progress import show_progress

        with show_progress(PARTS) as progress:
            export = export_hf(checkpoint, out, entities, progress)
        model, source, tokenizer = export.model, export.checkpoint, export.tokenizer
    tell(f"wikiprep: {out}: {model} and {tokenizer} of {source}")
    if model.startswith("Luke") and tokenizer == "PreTrainedTokenizerFast":
        reason = "LukeTokenizer knows byte-level BPE alone: entity_ids (entity_vocab.json) and entity_position_ids"
        tell(f"wikiprep: {reason} are to be made by hand")
