# Beam's workers (`--target worker`), and the image of the Dataflow flex template (`--target template`), which is the
# same with a launcher in it. docs/cluster.md says how they are built.
ARG PYTHON=3.11
ARG BEAM=2.77.0

# Of the sdist, so that the compiled modules fit the Python and the Debian that they will run on (docs/install.md). Beam's
# image has a C compiler.
FROM apache/beam_python${PYTHON}_sdk:${BEAM} AS wheel
COPY dist/wikiprep-*.tar.gz /tmp/dist/
RUN WIKIPREP_COMPILE=required pip wheel --no-cache-dir --no-deps --wheel-dir /tmp/wheel /tmp/dist/wikiprep-*.tar.gz

# Google's launcher is one program, and only its newest is supported.
# hadolint ignore=DL3006
FROM gcr.io/dataflow-templates-base/python311-template-launcher-base AS launcher

FROM apache/beam_python${PYTHON}_sdk:${BEAM} AS worker
COPY dist/constraints.txt /tmp/dist/
COPY --from=wheel /tmp/wheel /tmp/dist
# The constraints are the driver's versions: a worker of other versions refuses to work.
RUN set -- /tmp/dist/wikiprep-*.whl \
    && pip install --no-cache-dir --constraint /tmp/dist/constraints.txt "$1[beam]" \
    && python -c "import wikiprep.pipelines.beam"
# The entry point stays Beam's own, /opt/apache/beam/boot.

FROM worker AS template
COPY --from=launcher /opt/google/dataflow/python_template_launcher /opt/google/dataflow/python_template_launcher
COPY docker/dataflow/launch.py /template/launch.py
ENV FLEX_TEMPLATE_PYTHON_PY_FILE=/template/launch.py
