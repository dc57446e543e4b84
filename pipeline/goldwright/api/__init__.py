"""Goldwright as a library: what ``import goldwright`` offers.

A dataset is curated, published and put to use in a few calls::

    import goldwright

    report = goldwright.run("phase1", "path/to/repository")
    draft = goldwright.export(report.name, version="1.0", draft=True)
    evaluation = goldwright.evaluate(draft.dataset, search, repo="path/to/repository")
    print(evaluation.report.mean("MRR"))

Anybody's list of queries is scored as well, by any number of retrievers::

    bench = goldwright.bench("queries.csv", {"mine": search, "bm25": "bm25"}, repo="path/to/code")

``search`` is a function of your own: it takes a query and gives entity ids, best first.

Each function calls the use case behind the command of its name. It returns a value, prints nothing
and leaves the process alone. Runs and versions are looked up in ``workspace``, the directory that
holds ``runs/``, ``golden/`` and ``goldwright.toml``; other relative paths start at the current
directory. Keys of model providers are taken from the environment variables.

What goes wrong for a known reason raises a ``GoldwrightError``: its text is one line that says what
is wrong and where, and its class says of which kind the problem is.

``run`` and ``resume``, and ``evaluate`` with a judge, start an event loop. Where one is running
already, as in a notebook, theirs runs in a thread of its own, and the call waits for it.

The names of the library are taken from ``goldwright``, which loads the module behind each when it
is first used: whoever scores a retriever does not load what makes datasets.
"""
