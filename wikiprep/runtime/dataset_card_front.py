"""The head of a dataset card, in YAML: what the Hugging Face hub and its readers know of a data set.

Keys and values are those of the hub's own specification (huggingface/hub-docs, datasetcard.md).
"""

import json
import re
from collections.abc import Mapping

CC_BY_SA = "cc-by-sa-4.0"
LICENCE_LINK = "https://creativecommons.org/licenses/by-sa/4.0/"
_SIZES = ((10**3, "n<1K"), (10**4, "1K<n<10K"), (10**5, "10K<n<100K"), (10**6, "100K<n<1M"), (10**7, "1M<n<10M"))
_PLAIN = re.compile(r"[a-z]{2,3}(-[a-z]+)*")
_NOT_PLAIN = ("no", "on", "off", "yes", "y", "n")  # which YAML takes for true and false


def front_matter(
    *, licence: str, language: str, pretty: str, rows: int, wikipedia: bool, relations: bool, configs: Mapping[str, str]
) -> str:
    """Between its lines of hyphens. `rows`: of the default configuration; `configs`: its name -> glob, it first."""
    plain = _PLAIN.fullmatch(language) and language not in _NOT_PLAIN
    lines = ["---", f"license: {licence}", f"language: {language if plain else json.dumps(language)}"]
    if licence == CC_BY_SA:
        lines.append(f"license_link: {LICENCE_LINK}")
    else:
        lines += ["license_name: of-its-source", "license_link: README.md"]
    lines += [f"pretty_name: {json.dumps(pretty, ensure_ascii=False)}", f"size_categories:\n- {size_category(rows)}"]
    tasks = ["fill-mask", "text-generation", "token-classification"]
    lines += ["task_categories:", *(f"- {task}" for task in tasks)]
    tags = ["entity-linking", "hyperlinks", "pretraining", "wikiprep"]
    tags += (["wikipedia"] if wikipedia else []) + (["relation-extraction", "wikidata"] if relations else [])
    lines += ["tags:", *(f"- {tag}" for tag in sorted(tags)), "configs:"]
    for number, (name, files) in enumerate(configs.items()):
        lines += [f"- config_name: {name}", f"  data_files: {files}"]
        if not number and len(configs) > 1:
            lines.append("  default: true")
    return "\n".join([*lines, "---"])


def size_category(rows: int) -> str:
    """The hub's word for a number of rows."""
    return next((name for least, name in _SIZES if rows < least), "10M<n<100M")
