# Master, workers and driver of a standalone Spark cluster: compose.yaml. PySpark's package brings all of Spark.
ARG PYTHON=3.11

# Of the sdist, so that the compiled modules fit the Python and the Debian that they will run on (docs/install.md).
FROM python:${PYTHON}-bookworm AS wheel
COPY dist/wikiprep-*.tar.gz /tmp/dist/
RUN WIKIPREP_COMPILE=required pip wheel --no-cache-dir --no-deps --wheel-dir /tmp/wheel /tmp/dist/wikiprep-*.tar.gz

FROM python:${PYTHON}-slim-bookworm
# Spark 3.5 runs on Java 17; Debian 12 is the last one that has it. ps is what Spark's scripts call.
# Debian keeps only the newest fixes of a release, so no version can be pinned.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends openjdk-17-jre-headless procps \
    && rm -rf /var/lib/apt/lists/*
COPY dist/constraints.txt /tmp/dist/
COPY --from=wheel /tmp/wheel /tmp/dist
RUN set -- /tmp/dist/wikiprep-*.whl \
    && pip install --no-cache-dir --constraint /tmp/dist/constraints.txt "$1[spark]" \
    && pip check \
    && wikiprep version
# /data is a volume of all containers; it must belong to the user that Spark runs as.
RUN useradd --create-home --uid 1000 wikiprep && mkdir /data && chown wikiprep /data
USER 1000
WORKDIR /data
ENV PYSPARK_PYTHON=/usr/local/bin/python
