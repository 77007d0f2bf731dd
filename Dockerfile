# The service in an image: docker build -t cardref . && docker run -p 127.0.0.1:8000:8000 -e CARDREF_OPEN=yes cardref
FROM python:3.13-slim AS build
COPY requirements.txt /build/
RUN python -m venv /opt/cardref \
    && /opt/cardref/bin/pip install --no-cache-dir --disable-pip-version-check -r /build/requirements.txt

# The search is compiled apart, in the larger image that has a C compiler.
FROM python:3.13 AS compiled
WORKDIR /search
COPY requirements.txt requirements-build.txt ./
RUN pip install --no-cache-dir --disable-pip-version-check -c requirements.txt -r requirements-build.txt
COPY engine engine
COPY solver solver
COPY tools tools
RUN python tools/compile.py --required

# The guides at /docs/guides are built apart: what builds them is not in the image.
FROM python:3.13-slim AS guides
WORKDIR /site
COPY requirements.txt requirements-docs.txt ./
RUN pip install --no-cache-dir --disable-pip-version-check -c requirements.txt -r requirements-docs.txt
COPY README.md CONTRIBUTING.md CHANGELOG.md ./
COPY docs docs
COPY tools tools
RUN python tools/guides/build.py

FROM python:3.13-slim
COPY --from=build /opt/cardref /opt/cardref
WORKDIR /app
COPY engine engine
COPY solver solver
COPY service service
COPY LICENSE ./
COPY --from=guides /site/build/guides build/guides
COPY --from=compiled /search/build/compiled build/compiled
# A numeric user, so that Kubernetes can see that it is not root; the data directory is all it may write to.
RUN python -m compileall -q engine solver service \
    && install -d -o 10001 -g 10001 -m 0700 /var/lib/cardref
USER 10001:10001
ENV PATH=/opt/cardref/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    CARDREF_HOST=0.0.0.0 \
    CARDREF_PORT=8000 \
    CARDREF_DATA=/var/lib/cardref
# Outside a loopback address the service refuses to start unless CARDREF_API_KEYS names who may call it, or
# CARDREF_OPEN=yes says that everybody may. So one of the two must be given to this image.
EXPOSE 8000
VOLUME /var/lib/cardref
HEALTHCHECK --interval=10s --timeout=3s --start-period=15s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request as r; r.urlopen('http://127.0.0.1:' + os.environ['CARDREF_PORT'] + '/healthz', timeout=2)"]
CMD ["python", "-m", "service"]
