# What a person types. CI runs `make test` and nothing else.
.PHONY: demo build test test-slow fuzz bench fmt

CARGO ?= cargo
RELEASE = $(abspath $(or $(CARGO_TARGET_DIR),target)/release/borelli)
BORELLI = $(CARGO) run --quiet --release --package borelli --

# The main job: find a passive step of walking, and show it in a report.
demo: build
	$(BORELLI) demo

build:
	$(CARGO) build --release --package borelli

# Instructions are counted on the optimised program, which is built only where valgrind can run it.
test:
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	if command -v valgrind >/dev/null; then $(CARGO) build --release --package borelli; fi
	BORELLI_RELEASE_BIN=$(RELEASE) $(CARGO) test --workspace

# Full sizes: the whole gallery at many states.
test-slow: build
	BORELLI_SLOW=1 $(CARGO) test --workspace --release
	$(BORELLI) compare --all --states 10000

# Spoiled files for every reader of measured data, one minute each; `make fuzz SECONDS=600 SEED=2` for another hunt.
fuzz:
	$(CARGO) run --quiet --release --package borelli-data --example fuzz -- $(or $(SECONDS),60) $(or $(SEED),1)

bench: build
	$(BORELLI) bench

fmt:
	$(CARGO) fmt --all
