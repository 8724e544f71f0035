# `wikiprep pretrain` with PyTorch and its CUDA libraries, which PyTorch's package brings; of the machine it needs
# NVIDIA's driver and container toolkit.
ARG PYTHON=3.11

# Of the sdist, so that the compiled modules fit the Python and the Debian that they will run on (docs/install.md).
FROM python:${PYTHON}-bookworm AS wheel
COPY dist/wikiprep-*.tar.gz /tmp/dist/
RUN WIKIPREP_COMPILE=required pip wheel --no-cache-dir --no-deps --wheel-dir /tmp/wheel /tmp/dist/wikiprep-*.tar.gz

FROM python:${PYTHON}-slim-bookworm
# torch.compile (`--compile`) calls a C compiler.
# Debian keeps only the newest fixes of a release, so no version can be pinned.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends gcc libc6-dev \
    && rm -rf /var/lib/apt/lists/*
COPY dist/constraints.txt /tmp/dist/
COPY --from=wheel /tmp/wheel /tmp/dist
RUN set -- /tmp/dist/wikiprep-*.whl \
    && pip install --no-cache-dir --constraint /tmp/dist/constraints.txt "$1[train]" \
    && pip check \
    && wikiprep version
RUN useradd --create-home --uid 1000 wikiprep && mkdir /data && chown wikiprep /data
USER 1000
WORKDIR /data
ENV NVIDIA_VISIBLE_DEVICES=all NVIDIA_DRIVER_CAPABILITIES=compute,utility
ENTRYPOINT ["wikiprep"]
CMD ["pretrain", "--help"]
