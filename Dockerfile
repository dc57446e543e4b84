# Goldwright as an ordinary user who owns nothing but what you mount:
#   docker build -t goldwright .
#   docker run --rm -v "$PWD:/work" -v ~/src/yourproject:/code:ro goldwright run phase1 --repo /code
FROM python:3.13-slim AS build
WORKDIR /source
COPY . .
RUN python -m pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.13-slim
# git pins codebases; bubblewrap is the sandbox of code that models write.
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends bubblewrap git \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /wheels /wheels
COPY constraints.txt /wheels/constraints.txt
# As in --build-arg EXTRAS='[mcp,otel]'.
ARG EXTRAS=""
RUN python -m pip install --no-cache-dir -c /wheels/constraints.txt "$(echo /wheels/*.whl)$EXTRAS" \
    && rm -rf /wheels
# Mounted directories keep their owner: --user "$(id -u):$(id -g)" writes as you.
RUN useradd --uid 10001 --create-home goldwright \
    && mkdir --mode 1777 /cache /work
ENV GOLDWRIGHT_CACHE=/cache
USER 10001
WORKDIR /work
ENTRYPOINT ["goldwright"]
CMD ["--help"]
