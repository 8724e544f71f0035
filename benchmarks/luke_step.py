"""How many tokens a second does LUKE train at, beside the plain way: transformers' LukeForMaskedLM in a loop?

    python benchmarks/luke_step.py                  # base size, 500,000 entities; on a GPU if there is one
    python benchmarks/luke_step.py --batch 4 --rounds 5

Both sides have the same weights, records, masks, precision, dropout and AdamW, and the same objective; theirs makes all
scores, as a user's loop does. Steps alternate between the sides, since other load on the machine slows both. On a CPU
CPU time is compared. On a GPU (bf16 over float32 weights): time on the device, parity first, then speed, MFU, peak
memory and where the time goes; some five minutes in all. Where there is no GPU it says what it would do there.
Needs `pip install ".[dev]"`.
"""

import argparse
import gc
import statistics
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import torch
from torch import Tensor, nn
from transformers import LukeConfig as TheirConfig
from transformers import LukeForMaskedLM

from wikiprep.pretrain.luke.collate import collate
from wikiprep.pretrain.luke.config import SIZES, LukeConfig, sized
from wikiprep.pretrain.luke.flops import training_flops
from wikiprep.pretrain.luke.masking import mask
from wikiprep.pretrain.luke.model import Luke
from wikiprep.pretrain.luke.names import from_hugging_face
from wikiprep.pretrain.luke.objective import Objective
from wikiprep.pretrain.luke.words import Words
from wikiprep.pretrain.record import Record

WORD_VOCABULARY = 50_265
PEAK_TFLOPS = {"H100": 989.0, "H200": 989.0, "A100": 312.0, "L40S": 362.0}  # bf16, dense, by the maker's data sheets
Step = Callable[[], None]


def main() -> None:
    """Measure, and print a table."""
    options = arguments()
    device = torch.device(options.device or ("cuda" if torch.cuda.is_available() else "cpu"))
    if device.type == "cpu":
        print(
            "no GPU in use: figures are of the CPU, float32. On a GPU this runs in bf16: the losses of both sides, "
            "5 rounds of 20 steps each, ours with torch.compile too, MFU, peak memory, a profile of kernels."
        )
    config = sized(options.size, WORD_VOCABULARY, options.entity_vocabulary)
    config = replace(config, entity_aware_attention=options.entity_aware)
    batch = random_batch(config, options.batch, options.words, options.entities)
    batch = {name: tensor.to(device) for name, tensor in batch.items()}
    print(
        f"{options.size}, {config.entity_vocab_size:,} entities, torch {torch.__version__}, {device_name(device)}: "
        f"{options.batch} records, {int(batch['real'].sum()):,} tokens ({batch['real'].numel():,} padded), "
        f"{len(batch['word_labels'])} masked words, {len(batch['entity_labels'])} masked entities"
    )
    plain = their_model(config).to(device)
    model = Luke(config)
    model.load_state_dict(from_hugging_face(plain.state_dict(), model.state_dict()))
    model.to(device)
    parity(plain, model, batch, device)
    sides = {"transformers": their_step(plain, batch, device), "wikiprep": our_step(model, batch, device)}
    if device.type == "cuda":
        compiled = Luke(config).to(device)
        compiled.load_state_dict(model.state_dict())
        for layer in compiled.layers:
            layer.compile()
        sides["wikiprep, compiled"] = our_step(compiled, batch, device)
    report(measured(sides, options.rounds, options.steps, device), config, batch, device)
    if device.type == "cuda":
        profile(sides["wikiprep, compiled"])


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", choices=sorted(SIZES), default="luke-base")
    parser.add_argument("--batch", type=int, help="Records. [2 on a CPU, 16 on a GPU]")
    parser.add_argument("--words", type=int, default=512, help="Tokens of a record, specials included.")
    parser.add_argument("--entities", type=int, default=36, help="Entities of a record.")
    parser.add_argument("--entity-vocabulary", type=int, default=500_000)
    parser.add_argument("--entity-aware", action="store_true", help="Entity-aware attention on both sides.")
    parser.add_argument("--rounds", type=int, help="[3 on a CPU, 5 on a GPU]")
    parser.add_argument("--steps", type=int, help="Of a round. [1 on a CPU, 20 on a GPU]")
    parser.add_argument("--device")
    options = parser.parse_args()
    on_gpu = (options.device or "cpu").startswith("cuda") or (options.device is None and torch.cuda.is_available())
    options.batch = options.batch or (16 if on_gpu else 2)
    options.rounds = options.rounds or (5 if on_gpu else 3)
    options.steps = options.steps or (20 if on_gpu else 1)
    return options


def random_batch(config: LukeConfig, records: int, words: int, entities: int) -> dict[str, Tensor]:
    """Generated records, masked as published; entities by Zipf's law, mentions of one to four tokens."""
    rng = np.random.default_rng(0)
    begins = rng.random(config.vocab_size) < 0.75  # as in English text
    size = config.vocab_size
    vocabulary = Words(size, 0, 2, 1, size - 1, begins, np.arange(4, size - 1, dtype=np.int32))
    made = []
    for number in range(records):
        starts = np.sort(rng.integers(0, words - 6, entities)).astype(np.int16)
        made.append(
            Record(
                number,
                0,
                0,
                rng.integers(4, size - 1, words - 2).astype(np.int32),
                (3 + (rng.zipf(1.2, entities) - 1) % (config.entity_vocab_size - 4)).astype(np.int32),
                starts,
                (starts + rng.integers(1, 5, entities)).astype(np.int16),
                np.zeros(entities, np.int8),
                np.zeros(1, np.int16),
            )
        )
    masked = [
        mask(record, vocabulary, Objective(), np.random.default_rng(number)) for number, record in enumerate(made)
    ]
    return collate(made, masked, None, vocabulary, True)


def their_model(config: LukeConfig) -> LukeForMaskedLM:
    """As a user has it, but with the word decoder tied as in RoBERTa: the same parameters on both sides."""
    torch.manual_seed(0)
    model = LukeForMaskedLM(
        TheirConfig(
            vocab_size=config.vocab_size,
            entity_vocab_size=config.entity_vocab_size,
            hidden_size=config.hidden_size,
            entity_emb_size=config.entity_size,
            num_hidden_layers=config.layers,
            num_attention_heads=config.heads,
            intermediate_size=config.intermediate_size,
            max_position_embeddings=config.max_positions,
            type_vocab_size=config.type_rows,
            layer_norm_eps=config.norm_eps,
            use_entity_aware_attention=config.entity_aware_attention,
        )
    )
    model.lm_head.decoder.weight = model.luke.embeddings.word_embeddings.weight
    return model


def their_inputs(batch: dict[str, Tensor]) -> dict[str, Tensor]:
    width = batch["word_ids"].shape[1]
    places = batch["entity_starts"][..., None] + torch.arange(30, device=batch["real"].device)  # as their tokenizer
    return {
        "input_ids": batch["word_ids"],
        "attention_mask": batch["real"][:, :width].long(),
        "entity_ids": batch["entity_ids"],
        "entity_attention_mask": batch["real"][:, width:].long(),
        "entity_position_ids": torch.where(places < batch["entity_ends"][..., None], places, -1),
        "labels": labels(batch["word_ids"], batch["word_targets"], batch["word_labels"]),
        "entity_labels": labels(batch["entity_ids"], batch["entity_targets"], batch["entity_labels"]),
    }


def labels(like: Tensor, places: Tensor, found: Tensor) -> Tensor:
    made = torch.full_like(like, -100)
    made.view(-1)[places] = found
    return made


def their_step(model: LukeForMaskedLM, batch: dict[str, Tensor], device: torch.device) -> Step:
    inputs = their_inputs(batch)
    return training_step(model, lambda: model(**inputs).loss, device)


def our_step(model: Luke, batch: dict[str, Tensor], device: torch.device) -> Step:
    return training_step(model, lambda: our_loss(model, batch), device)


def our_loss(model: Luke, batch: dict[str, Tensor]) -> Tensor:
    return sum((total / count for total, count in model(batch).values()), torch.zeros((), device=batch["real"].device))


def training_step(model: nn.Module, loss: Callable[[], Tensor], device: torch.device) -> Step:
    # On a CPU `foreach` would make copies of all the state; both sides have the same.
    optimiser = torch.optim.AdamW(model.parameters(), lr=1e-5, weight_decay=0.01, fused=True)

    def step() -> None:
        with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
            value = loss()
        optimiser.zero_grad(set_to_none=True)
        value.backward()
        optimiser.step()

    return step


def parity(plain: LukeForMaskedLM, model: Luke, batch: dict[str, Tensor], device: torch.device) -> None:
    """The two losses without dropout, in the precision of the run."""
    plain.eval(), model.eval()
    with torch.no_grad(), torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
        theirs, ours = float(plain(**their_inputs(batch)).loss), float(our_loss(model, batch))
    plain.train(), model.train()
    print(
        f"loss without dropout: transformers {theirs:.6f}, wikiprep {ours:.6f}, apart {abs(theirs - ours) / theirs:.1e}"
    )


def measured(
    sides: dict[str, Step], rounds: int, steps: int, device: torch.device
) -> dict[str, dict[str, list[float]]]:
    """Seconds a step of each round, and on a GPU the peak of memory over what is held anyway."""
    found: dict[str, dict[str, list[float]]] = {name: {"seconds": [], "peak": []} for name in sides}
    for step in sides.values():
        step()  # first use: memory, kernels, compilation
    for _ in range(rounds):
        for name, step in sides.items():
            gc.collect()
            seconds, peak = timed(step, steps, device)
            found[name]["seconds"].append(seconds)
            found[name]["peak"].append(peak)
    return found


def timed(step: Step, steps: int, device: torch.device) -> tuple[float, float]:
    if device.type == "cpu":
        start = time.process_time()
        for _ in range(steps):
            step()
        return (time.process_time() - start) / steps, 0.0
    torch.cuda.reset_peak_memory_stats()
    held = torch.cuda.memory_allocated()
    first, last = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    first.record()
    for _ in range(steps):
        step()
    last.record()
    torch.cuda.synchronize()
    return first.elapsed_time(last) / 1000 / steps, (torch.cuda.max_memory_allocated() - held) / 1e9


def report(
    found: dict[str, dict[str, list[float]]], config: LukeConfig, batch: dict[str, Tensor], device: torch.device
) -> None:
    tokens, needed = int(batch["real"].sum()), training_flops(config, batch)
    peak_flops = next((value for name, value in PEAK_TFLOPS.items() if name in device_name(device)), None)
    unit = "CPU s" if device.type == "cpu" else "s"
    print(f"\n| side | {unit} a step | tokens/{unit} | times transformers | MFU | GB over weights |")
    print("|---|---|---|---|---|---|")
    base = found["transformers"]["seconds"]
    for name, figures in found.items():
        seconds = statistics.median(figures["seconds"])
        ratios = sorted(b / s for b, s in zip(base, figures["seconds"], strict=True))
        ratio = f"{statistics.median(ratios):.2f} [{ratios[0]:.2f} to {ratios[-1]:.2f}]"
        mfu = f"{needed / seconds / peak_flops / 1e12:.1%}" if peak_flops and device.type == "cuda" else ""
        memory = f"{max(figures['peak']):.2f}" if device.type == "cuda" else ""
        print(f"| {name} | {seconds:.3f} | {tokens / seconds:,.0f} | {ratio} | {mfu} | {memory} |")
    print(f"\n{needed / 1e12:.2f} TFLOP a step are needed (recomputed scores not counted).")


def profile(step: Step) -> None:
    activities = [torch.profiler.ProfilerActivity.CUDA, torch.profiler.ProfilerActivity.CPU]
    with torch.profiler.profile(activities=activities) as found:
        for _ in range(3):
            step()
        torch.cuda.synchronize()
    print("\nWhere the time of three compiled steps goes:")
    print(found.key_averages().table(sort_by="self_cuda_time_total", row_limit=15, max_name_column_width=60))


def device_name(device: torch.device) -> str:
    return torch.cuda.get_device_name(device) if device.type == "cuda" else f"CPU, {torch.get_num_threads()} threads"


if __name__ == "__main__":
    main()
