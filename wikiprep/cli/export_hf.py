"""`wikiprep export-hf`: a trained model for Hugging Face's transformers."""

import click

from wikiprep.cli.needs_torch import needs_torch


@click.command("export-hf")
@click.argument("checkpoint", metavar="RUN_OR_CHECKPOINT", type=click.Path())
@click.argument("out", type=click.Path())
@click.option("--quiet", "-q", is_flag=True, help="No summary.")
def command(checkpoint: str, out: str, quiet: bool) -> None:
    """Write a trained LUKE to the folder OUT, which LukeForMaskedLM and LukeTokenizer load.

    LukeTokenizer knows byte-level BPE alone, as RoBERTa has it; with another tokenizer, as BERT's, the folder has a
    PreTrainedTokenizerFast, and entity inputs are to be made by hand. RUN_OR_CHECKPOINT is a run (its newest
    checkpoint) or one of its checkpoints.
    """
    with needs_torch():
        from wikiprep.pretrain.export_hf import export_hf

    taken, tokenizer = export_hf(checkpoint, out)
    if not quiet:
        click.echo(f"wikiprep: {out}: LukeForMaskedLM and {tokenizer} of {taken}", err=True)
        if tokenizer != "LukeTokenizer":
            said = "LukeTokenizer knows byte-level BPE alone: entity_ids (entity_vocab.json) and entity_position_ids"
            click.echo(f"wikiprep: {said} are to be made by hand", err=True)
