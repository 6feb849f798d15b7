# Two stages: the first installs with the CPU build of torch, the second runs as a user without rights.
FROM python:3.11-slim-bookworm AS build
ENV UV_COMPILE_BYTECODE=1 UV_LINK_MODE=copy
RUN pip install --no-cache-dir uv==0.13.8
WORKDIR /app
COPY pyproject.toml README.md LICENSE requirements.lock ./
RUN uv venv /opt/warpath
# The locked versions without their hashes: the CPU build of torch (some 200 MB, not 5 GB) has others.
RUN sed -n 's/^\([A-Za-z0-9._-]*==[^ ]*\).*/\1/p' requirements.lock > versions.txt
COPY api api
COPY graph graph
COPY ingest ingest
COPY kernels_ref kernels_ref
RUN uv pip install --python /opt/warpath/bin/python --torch-backend=cpu --constraint versions.txt .

FROM python:3.11-slim-bookworm
RUN useradd --create-home --uid 10001 warpath && install -d -o warpath /data
COPY --from=build /opt/warpath /opt/warpath
ENV PATH=/opt/warpath/bin:$PATH WARPATH_DATA=/data
USER warpath
VOLUME /data
EXPOSE 8000
CMD ["warpath", "serve"]
