# knot-recommend: `make help` lists the targets.
.DEFAULT_GOAL := help
SHELL := /bin/bash

# Public data, golden values and peers that tests and benchmarks measure in place; what needs them says so when absent.
KNOT_SHARED ?= ../shared
export KNOT_SHARED

BINARY := .build/release/knot-recommend
# The vault that `make run` chooses for; it comes with fixtures/vaults.
VAULT ?= 9aab66c8-6461-4523-93b3-2600f073736b
# The Swift runtime is linked in: the command starts sooner and needs no toolchain where it is copied to.
BUILD_RELEASE := .ci/build --configuration release --static-swift-stdlib
# The tests drive every kernel over much data, which takes minutes without optimized C.
BUILD_TESTS := .ci/build --build-tests -Xcc -O2
RUN_TESTS := .ci/test
# Only `make test-all` runs these: they take a quarter of the time, and what they cover seldom changes.
SLOW_TESTS := ReportInBrowserTests|AdoptionTests|LostPartTests|HarshMachineTests
SWIFT_FILES := Package.swift Sources Tests bench
# How often `make soak` kills at each point and races.
KILLS ?= 200
RACES ?= 100
# How many workers `make soak` kills, in how many nights it takes their database away, and from which seed on.
WORKER_KILLS ?= 3000
WORKER_STORMS ?= 20
WORKER_SEED ?= 17
POOLED_TESTS := DatabaseVerbTests|DatabaseFailureTests|DatabaseURLFileTests|PooledCommandTests|WorkVerbTests|ReminderWorkerTests|SetRaceTests|KilledWorkerTests
SCHEMA_TESTS := RowSecurityTests|SchemaCatalogueTests|MatchHintsTests|QueueRightsTests|QueueFunctionsTests|StoredSetTests|ConstraintTests
QUEUE_TESTS := ReminderWorkerTests|LostLeaseTests
QUEUE_MUTANTS := unfenced_finish open_admission double_sets hasty_rescue
SCHEMA_MUTANTS := open_hints complete_without_token open_queue double_vibes torn_runs worst_hints_first readable_email

# A trial's seed; another one tries other cases.
SEED ?= 20261122

.PHONY: help setup build install run test test-all test-pooled soak sweep mutants trial-cli trial-engine trial-database trial-worker lint format check judge golden docs docs-check picture rooms bench bench-peers bench-encoder bench-database \
	bench-retrieval bench-catalogue bench-catalogue-peers bench-night bench-calendar bench-queue bench-worker bench-recovery bench-idle bench-http bench-http-live bench-misbehaving calibrate fuzz sanitize prove prove-catalogue prove-catalogue-cold transcripts clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-22s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## Install the Debian packages, the PostgreSQL and the embedding model that are needed and missing
	@.ci/setup

build: setup ## Build the command in release
	@$(BUILD_RELEASE) --product knot-recommend

PREFIX ?= /usr/local
install: build ## Install the command, symbols for profilers, manual pages and completions below PREFIX=/usr/local
	@root='$(DESTDIR)$(PREFIX)'; set -e; \
	install -d "$$root/bin" "$$root/share/man/man1" "$$root/share/bash-completion/completions" \
		"$$root/share/zsh/site-functions" "$$root/share/fish/vendor_completions.d"; \
	install -d "$$root/bin/.debug"; \
	objcopy --only-keep-debug --compress-debug-sections $(BINARY) "$$root/bin/.debug/knot-recommend.debug"; \
	objcopy --strip-all --add-gnu-debuglink="$$root/bin/.debug/knot-recommend.debug" $(BINARY) "$$root/bin/knot-recommend"; \
	chmod 755 "$$root/bin/knot-recommend"; chmod 644 "$$root/bin/.debug/knot-recommend.debug"; \
	umask 022; command="$$root/bin/knot-recommend"; pages="$$root/share/man/man1"; \
	"$$command" help --man > "$$pages/knot-recommend.1"; \
	for verb in $$("$$command" help --markdown | sed -n 's/^## \([a-z][a-z-]*\)$$/\1/p'); do \
		"$$command" help "$$verb" --man > "$$pages/knot-recommend-$$verb.1"; done; \
	"$$command" completions bash > "$$root/share/bash-completion/completions/knot-recommend"; \
	"$$command" completions zsh > "$$root/share/zsh/site-functions/_knot-recommend"; \
	"$$command" completions fish > "$$root/share/fish/vendor_completions.d/knot-recommend.fish"; \
	echo "installed $$command; it is found where $$root/bin is in PATH"

run: build ## Set up, build, and make a Choice of Three from and into a PostgreSQL of its own (VAULT=id)
	@$(BUILD_RELEASE) --product knot-provider-simulator
	@step() { echo; echo "==> $$1"; shift; echo "    knot-recommend $$*"; $(BINARY) "$$@"; }; set -e -o pipefail; \
	step "a PostgreSQL 18 with pgvector in a private folder; it stays for the next time" dev-db start; \
	export DATABASE_URL="$$($(BINARY) dev-db url)"; \
	step "its schema" migrate | sed '/^applied/d'; \
	step "the judged vaults with their candidates; what is there already stays" import fixtures/vaults; \
	step "three choices, stored once: the same request has the same set" run --vault $(VAULT) --request make-run; \
	step "the three rows as they are stored" history --vault $(VAULT) --limit 1; \
	coproc SIMULATOR { .build/release/knot-provider-simulator $$(grep -l $(VAULT) fixtures/vaults/dev-*.json) --pages; }; \
	while read -r line <&"$${SIMULATOR[0]}" && [ -n "$$line" ]; do eval "$$line"; done; \
	trace=$$(mktemp); trap 'rm -f "$$trace"' EXIT; \
	step "the same vault, asking five services over HTTP, simulated on this machine" run --vault $(VAULT) --live \
		--request make-run-live --trace "$$trace"; \
	eval "exec $${SIMULATOR[1]}>&-"; wait; \
	if [ -s "$$trace" ]; then echo; echo "==> what each service contributed"; \
		sed -n 's/^{"event":"retrieved","node":"\([a-z]*\)".*/\1/p' "$$trace" | sort | uniq -c \
			| awk '{ printf "    %-14s %s offers\n", $$2, $$1 }'; fi; \
	echo; echo "The database runs on; dev-db stop ends it, dev-db reset --yes empties it."

test: ## Set up, build, and run the tests that protect every rule
	@.ci/setup tests
	@$(BUILD_TESTS)
	@$(RUN_TESTS) --skip '$(SLOW_TESTS)'

test-all: ## Set up, build, and run every test
	@.ci/setup tests
	@$(BUILD_TESTS)
	@KNOT_EVERY_VAULT=1 $(RUN_TESTS)

test-pooled: ## Run the command's database tests through PgBouncer in transaction mode
	@.ci/setup tests
	@$(BUILD_TESTS)
	@KNOT_TEST_POOLER=1 $(RUN_TESTS) --filter "$(POOLED_TESTS)"

soak: setup ## Kill writers KILLS=200 times at every named point and 3,000 workers, stop servers and cut lines under them, race, replay (an hour)
	@$(BUILD_TESTS)
	@KNOT_KILLS=$(KILLS) KNOT_RACES=$(RACES) KNOT_EVERY_VAULT=1 KNOT_WORKER_KILLS=$(WORKER_KILLS) \
		KNOT_WORKER_STORMS=$(WORKER_STORMS) KNOT_WORKER_SEED=$(WORKER_SEED) $(RUN_TESTS) \
		--filter "KilledWriterTests|KilledWorkerTests|BrokenQueueTests|KilledCatalogueWriterTests|BrokenCommitTests|UnknownCommitTests|RowSecurityTests|ReplayLawTests|QueryPrivacyTests|TracePrivacyTests|SimulatorTests"

sweep: setup ## Hold the calendar's laws on every day from 1970 to 2100 in every zone of this machine (minutes)
	@$(BUILD_TESTS)
	@KNOT_EVERY_DAY=1 $(RUN_TESTS) --filter "ReminderLawTests"

mutants: setup ## Put flaws into the schema, the queue and the code one by one, and see that the tests notice each
	@$(BUILD_TESTS)
	@notice() { \
		if env "$$1=$$2" swift test --skip-build --disable-xctest --filter "$$3" >.build/mutant.log 2>&1; then \
			echo "$$2: nobody noticed" >&2; exit 1; fi; \
		grep -q "recorded an issue" .build/mutant.log || { cat .build/mutant.log >&2; exit 70; }; \
		echo "$$2: noticed by $$(grep -oE 'Test [^"]*"?[^"]*"? (recorded an issue|failed)' .build/mutant.log \
			| sort -u | wc -l) lines"; \
	}; \
	for mutant in $(SCHEMA_MUTANTS); do notice KNOT_SCHEMA_MUTANT $$mutant "$(SCHEMA_TESTS)"; done; \
	for mutant in $(QUEUE_MUTANTS); do notice KNOT_QUEUE_MUTANT $$mutant "$(QUEUE_TESTS)"; done
	@Tests/CodeMutants/run

trial-cli: build ## Get everything wrong at the command line, from outside (SEED=n; two minutes; see bench/trials)
	@bench/trials/cli/run --command $(BINARY) --seed $(SEED)

trial-engine: build ## Hold runs over changed copies of the judged vaults to laws, from outside (SEED=n; minutes)
	@bench/trials/engine/run --command $(BINARY) --seed $(SEED)

trial-worker: build ## Disturb workers for a night in every way, and audit what came of it, from outside (SEED=n; minutes)
	@bench/trials/worker/run --command $(BINARY) --seed $(SEED)

trial-database: build ## Kill, cut and stop a PostgreSQL under 1,500 requests, from outside (SEED=n; minutes)
	@bench/trials/database/run --command $(BINARY) --seed $(SEED)

lint: ## Check the format of every Swift file and of the notes, and the words of pages, comments and commit subjects
	@swift format lint --strict --parallel --recursive $(SWIFT_FILES)
	@Tests/PlainWords/check
	@bench/reader/check_notes.py >/dev/null

format: ## Rewrite every Swift file in the project's format
	@swift format --in-place --parallel --recursive $(SWIFT_FILES)

check: build ## Check the shipped pipelines and the machine
	@for pipeline in pipelines/classic.json pipelines/choice-of-three.json; do $(BINARY) check --pipeline $$pipeline || exit $$?; done
	@$(BINARY) doctor

judge: build ## Print the judged figures: classic and ours, with the rules and with the recorded readings
	@$(BINARY) judge --fixtures fixtures/vaults --pipeline classic --pipeline choice-of-three \
		--readings rules --readings fixtures/vaults/readings

golden: build ## Compare the outputs for all judged vaults with kept digests (RECORD=1 replaces the digests)
	@bench/unchanged/golden $(if $(RECORD),--record)

bench: setup ## Measure the engine in release and keep the figures in bench/results
	@$(BUILD_RELEASE) --product knot-bench
	@$(BUILD_RELEASE) --product knot-recommend
	@.build/release/knot-bench

bench-peers: setup ## Measure the vector core beside other libraries (ROWS=100000 for a short run; see bench/peers/run)
	@$(BUILD_RELEASE) --product knot-candidate
	@$(BUILD_RELEASE) --product knot-bench
	@bench/peers/run

bench-database: build ## Measure run --all beside the Python peer on one PostgreSQL (VAULTS=10000; see bench/database/run)
	@$(BUILD_RELEASE) --product knot-bench
	@bench/database/run

bench-encoder: setup ## Measure the encoder beside onnxruntime and torch with the same weights (see bench/encoder/run)
	@$(BUILD_RELEASE) --product knot-encoder-bench
	@bench/encoder/run

bench-queue: build ## Measure how long a claim takes with 1,000 and with 1,000,000 jobs that wait (see bench/queue/run)
	@bench/queue/run

bench-worker: build ## Measure four workers beside procrastinate and pgqueuer on one server (JOBS=500 for a short run, LIVE=1 for services over HTTP; see bench/queue/run-worker)
	@$(BUILD_RELEASE) --product knot-provider-simulator
	@bench/queue/run-worker

bench-recovery: build ## Kill workers and stop the server under them, and measure how soon work goes on (KILLS=30 RESTARTS=10)
	@bench/queue/run-recovery

bench-idle: build ## Let a worker wait for an hour, and measure what that costs (MINUTES=60; see bench/queue/run-idle)
	@bench/queue/run-idle

bench-calendar: setup ## Have python-dateutil and zoneinfo work plans out again (MILESTONES=10000; see bench/calendar/run)
	@$(BUILD_RELEASE) --product knot-calendar-bench
	@bench/calendar/run

bench-catalogue: setup ## Build catalogues of up to a million offers and measure searching them (OFFERS="10000"; see bench/catalogue/run)
	@$(BUILD_RELEASE) --product knot-catalogue-bench
	@$(BUILD_RELEASE) --product knot-bench
	@bench/catalogue/run

bench-catalogue-peers: build ## Ask faiss, pgvector and Tantivy the same of the same offers (OFFERS="100000"; see bench/catalogue/run-peers)
	@$(BUILD_RELEASE) --product knot-catalogue-bench
	@bench/catalogue/run-peers

bench-night: build ## Serve a thousand vaults from catalogues of up to a million offers (OFFERS="100000"; see bench/catalogue/run-night)
	@$(BUILD_RELEASE) --product knot-catalogue-bench
	@bench/catalogue/run-night

bench-http: setup ## Measure what a call costs beside aiohttp and httpx (CALLS=5000; see bench/http/run)
	@$(BUILD_RELEASE) --product knot-http-bench
	@bench/http/run

bench-misbehaving: build ## Run beside one service that goes wrong in every way, and check the bars (ROUNDS=3)
	@$(BUILD_RELEASE) --product knot-provider-simulator
	@python3 bench/http/misbehaving.py fixtures/vaults/dev-01.json $(or $(ROUNDS),3)

bench-http-live: build ## Time live runs whose services and pages answer in 300 ms (DELAY=300 ROUNDS=20; see bench/http/run-live)
	@$(BUILD_RELEASE) --product knot-provider-simulator
	@bench/http/run-live

bench-retrieval: setup ## Rank public, judged data with words, the encoder and both, and check the bars
	@$(BUILD_RELEASE) --product knot-bench
	@.build/release/knot-bench retrieval --check

prove-catalogue: setup ## Prove that filtered searches of a million offers find what looking at all finds (OFFERS=n FILTERS=n SEED=n; minutes)
	@$(BUILD_RELEASE) --product knot-catalogue-bench
	@mkdir -p .build/catalogue
	@.build/release/knot-catalogue-bench prove .build/catalogue/prove $(or $(OFFERS),1000000) $(or $(FILTERS),10000) $(SEED)
	@rm -rf .build/catalogue/prove

prove-catalogue-cold: setup ## Prove and time searches of offers of which nothing is in memory (OFFERS=n SEARCHES=n; ten million need 30 GB)
	@$(BUILD_RELEASE) --product knot-catalogue-bench
	@mkdir -p .build/catalogue
	@.build/release/knot-catalogue-bench cold .build/catalogue/cold $(or $(OFFERS),1000000) $(or $(SEARCHES),40)
	@rm -rf .build/catalogue/cold

calibrate: build ## Cross-validate the pipeline's numbers and switch each part off (POINTS=200; minutes; see bench/calibration)
	@bench/calibration/run

prove: setup ## Prove that every kernel finds the same rows, order and bits (10^7 random pairs, 10^4 adversarial matrices)
	@$(BUILD_RELEASE) --product knot-bench
	@.build/release/knot-bench exactness

fuzz: setup ## Feed readers of strangers' bytes with what libFuzzer makes (SECONDS_EACH=60 TARGETS="page url"; see Tests/FuzzTargets/run)
	@Tests/FuzzTargets/run

sanitize: setup ## Run the kernels' tests under the address, thread and undefined-behaviour sanitizers
	@mkdir -p .build
	@clang -std=gnu11 -O1 -g -fsanitize=undefined,address -fno-sanitize-recover=all -ISources/CVectorKernels/include \
		Tests/KernelSanitizer/main.c Sources/CVectorKernels/*.c -lm -o .build/kernel-sanitizer 2>.build/kernel-sanitizer.log \
		|| { cat .build/kernel-sanitizer.log >&2; exit 70; }
	@.build/kernel-sanitizer
	@for kind in address thread; do \
		KNOT_TARGETS="CVectorKernels Threads VectorSearch Exactness VectorSearchTests ThreadsTests" \
			TSAN_OPTIONS="suppressions=$(CURDIR)/Tests/KernelSanitizer/thread.suppressions" \
			swift test --disable-xctest --sanitize=$$kind --scratch-path .build/$$kind || exit; \
	done

docs: setup ## Build the documentation's website in .build/docs/site, without network access
	@$(BUILD_RELEASE) --target KnotRecommendation
	@.ci/docs .build/docs/site
	@echo "The documentation is in .build/docs/site; python3 -m http.server -d .build/docs/site serves it."

docs-check: docs ## Look at every page of the documentation in Chromium, at the widths of a phone and of a desk
	@.ci/setup tests
	@Tests/Documentation/browse .build/docs/site

picture: build ## Draw the picture of the stages again that README and documentation show
	@$(BINARY) graph | .ci/picture >.build/stages.svg
	@cp .build/stages.svg Sources/KnotRecommendation/Documentation.docc/Resources/stages.svg

transcripts: ## Record again the transcripts and snapshots that the tests hold the README and the help to
	@$(BUILD_TESTS)
	@KNOT_RECORD_SNAPSHOTS=1 swift test --skip-build --disable-xctest --filter "CommandTests|ShippedPipelines|LostPartTests"

rooms: ## Draw the picture of the rooms in the architecture page from Package.swift
	@$(BUILD_TESTS)
	@KNOT_RECORD_SNAPSHOTS=1 swift test --skip-build --disable-xctest --filter ArchitectureTests

clean: ## Remove what was built
	@rm -rf .build .run
