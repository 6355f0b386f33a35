# What a person types. CI runs `make test` and nothing else.
.PHONY: demo build test test-slow bench fmt

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

bench: build
	$(BORELLI) bench

fmt:
	$(CARGO) fmt --all
