"""What `import wikiprep` gives: public names (`wikiprep.__all__`) are made here, torch's datasets in `pretrain/`.

The commands go through the same functions. Modules below `wikiprep.` are not public, whatever their names:
docs/python.md says what is.
"""
