"""One task, one encoder, one head, two trainers: `wikiprep finetune` without entities, and transformers' own Trainer.

Both get the same sequences (those of our task files), the same decisions and the same options; on the other side stand
transformers' model (AutoModel), a linear layer on the vectors of the decisions, AdamW of torch, and the Trainer's loop.
"""

from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from wikiprep.pretrain.config import PretrainConfig, with_steps
from wikiprep.pretrain.log import silent
from wikiprep.pretrain.luke import batch as names
from wikiprep.pretrain.ranks import join_ranks
from wikiprep.tasks.features import Features
from wikiprep.tasks.finetune.collate import LABELS, PLACES
from wikiprep.tasks.finetune.heads import LinearHead
from wikiprep.tasks.finetune.prepare import PreparedTask, prepare
from wikiprep.tasks.options import load_task_config
from wikiprep.tasks.predictions import Prediction


def arguments(description: str) -> ArgumentParser:
    """A parser of what both scripts take: the task, the encoder, the data, and settings of the configuration."""
    parser = ArgumentParser(description=description, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("task")
    parser.add_argument("encoder")
    parser.add_argument("data", type=Path)
    parser.add_argument("--set", action="append", default=[], dest="settings")
    return parser


def prepare_task(task: str, data: Path, encoder: str, settings: Sequence[str]) -> tuple[PretrainConfig, PreparedTask]:
    """The task's sequences of words alone, and the configuration with its steps."""
    config, _ = load_task_config("", task, ("task.entities=no", *settings))
    with join_ranks(1) as ranks:
        prepared = prepare(task, data, encoder, config, None, ranks, silent)
    return with_steps(config, len(prepared.splits["train"].features)), prepared


class PlainModel(nn.Module):
    """AutoModel with the linear layer on it, as the Trainer takes models: `forward` gives the mean loss and logits."""

    def __init__(self, prepared: PreparedTask, encoder: str, seed: int) -> None:
        super().__init__()
        from transformers import AutoModel

        config = prepared.about.encoder
        self.encoder = AutoModel.from_pretrained(encoder, add_pooling_layer=False)
        self.encoder.resize_token_embeddings(config.vocab_size, mean_resizing=False)
        rows = prepared.family.build_model(seed).state_dict()["encoder.words.token.weight"]
        self.encoder.get_input_embeddings().weight.data.copy_(rows)  # the markers begin as ours do
        self.dropout = nn.Dropout(config.dropout)
        head = prepared.family.head
        assert isinstance(head, LinearHead)
        self.classifier = nn.Linear(head.vectors * config.hidden_size, head.classes, bias=head.bias)
        generator = torch.Generator().manual_seed(seed + 1)
        nn.init.normal_(self.classifier.weight, 0.0, 0.02, generator=generator)
        if head.bias:
            nn.init.zeros_(self.classifier.bias)

    def forward(self, **batch: Tensor) -> dict[str, Tensor]:
        """`loss`, a mean over decisions, and `logits` [N, C]."""
        hidden = self.encoder(
            input_ids=batch[names.WORD_IDS],
            attention_mask=batch[names.REAL].long(),
            token_type_ids=batch[names.SECOND],
        ).last_hidden_state
        decision_vectors = hidden.flatten(0, 1)[batch[PLACES].flatten()].view(len(batch[PLACES]), -1)
        logits = self.classifier(self.dropout(decision_vectors))
        return {"loss": nn.functional.cross_entropy(logits, batch[LABELS]), "logits": logits}


class Sequences(torch.utils.data.Dataset[Features]):
    """The training sequences as a data set of torch's."""

    def __init__(self, features: Sequence[Features]) -> None:
        self._features = features

    def __len__(self) -> int:
        return len(self._features)

    def __getitem__(self, number: int) -> Features:
        return self._features[number]


@dataclass
class Plain:
    """transformers' side."""

    prepared: PreparedTask
    config: PretrainConfig
    model: PlainModel

    def trainer(self, folder: Path, seed: int, steps: int, each_epoch: Callable[[], None] | None = None) -> Any:
        """A Trainer with the options of our configuration."""
        import transformers

        config, stage = self.config, self.config.stages[-1]
        arguments = transformers.TrainingArguments(
            output_dir=str(folder),
            per_device_train_batch_size=config.data.global_batch,
            max_steps=steps,
            learning_rate=stage.learning_rate,
            warmup_steps=stage.warmup_steps,
            lr_scheduler_type="linear",
            optim="adamw_torch_fused",  # the fastest it has
            weight_decay=config.optimizer.weight_decay,
            adam_beta1=config.optimizer.beta1,
            adam_beta2=config.optimizer.beta2,
            adam_epsilon=config.optimizer.epsilon,
            max_grad_norm=config.training.clip_norm,
            seed=seed,
            use_cpu=True,
            remove_unused_columns=False,
            save_strategy="no",
            logging_steps=50,
            report_to=[],
            dataloader_pin_memory=False,
            disable_tqdm=True,
        )

        class EachEpoch(transformers.TrainerCallback):
            def on_epoch_end(self, *_: Any, **__: Any) -> None:
                if each_epoch:
                    each_epoch()

        return transformers.Trainer(
            model=self.model,
            args=arguments,
            train_dataset=Sequences(self.prepared.splits["train"].features),
            data_collator=self.collate,
            callbacks=[EachEpoch()],
        )

    def collate(self, items: Sequence[Features]) -> dict[str, Tensor]:
        """Ours, so that both sides pad alike."""
        return self.prepared.family.collate(items, [])

    def predictions(self, part: str) -> list[Prediction]:
        """What the model answers on `part`, in batches of like length."""
        questions, logits_by_number = self.prepared.splits[part], {}
        order = sorted(range(len(questions.features)), key=lambda n: len(questions.features[n].word_ids))
        self.model.eval()
        with torch.inference_mode():
            for start in range(0, len(order), 64):
                numbers = order[start : start + 64]
                items = [questions.features[n] for n in numbers]
                logits = self.model(**self.collate(items))["logits"].numpy()
                parts = np.split(logits, np.cumsum([len(item.places) for item in items])[:-1])
                logits_by_number |= dict(zip(numbers, parts, strict=True))
        self.model.train()
        scores = [logits_by_number[n] for n in range(len(order))]
        return questions.predictions(self.prepared.task, scores, self.prepared.about.labels)


def plain_side(task: str, data: Path, encoder: str, settings: Sequence[str], seed: int) -> Plain:
    """transformers' side, with its seed set."""
    import transformers

    transformers.set_seed(seed)
    config, prepared = prepare_task(task, data, encoder, settings)
    return Plain(prepared, replace(config, data=replace(config.data, seed=seed)), PlainModel(prepared, encoder, seed))
