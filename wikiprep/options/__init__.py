"""One system of options for builds, training and fine-tuning: fields with help and bounds, one check, one TOML form.

`option_fields.py` declares an option, refuses a value, and puts what a user gave into a dataclass of options; `toml.py`
reads and writes files and `--set`. Which options there are stands elsewhere: `wikiprep/config.py` for builds,
`pretrain/config.py` and the families for training, `tasks/options.py` for fine-tuning.
"""
