# What a person types. CI runs `make test` and nothing else.
.PHONY: demo build viewer test test-slow fuzz bench fmt

CARGO ?= cargo
RELEASE = $(abspath $(or $(CARGO_TARGET_DIR),target)/release/borelli)
DEBUG = $(abspath $(or $(CARGO_TARGET_DIR),target)/debug/borelli)
BORELLI = $(CARGO) run --quiet --release --package borelli --

# The main job: from markers and ground forces of a walk to joint moments, shown in a report.
demo: build
	$(BORELLI) demo

build: viewer
	$(CARGO) build --release --package borelli

# The report's stage in space, from `viewer`. Without Node or its packages the program is built all the same, and its reports have the plain stage.
VIEWER = viewer/package.json viewer/package-lock.json viewer/vite.config.js $(wildcard viewer/src/*.js)
PLAIN = reports keep the stage that viewer/dist holds, else the plain one
viewer:
	@if ! command -v npm >/dev/null; then echo "viewer: no Node here; $(PLAIN)"; \
	elif ! $(MAKE) --silent viewer/node_modules/.package-lock.json 2>/dev/null; then echo "viewer: its packages cannot be had; $(PLAIN)"; \
	else $(MAKE) --silent viewer/dist/viewer.js; fi

viewer/node_modules/.package-lock.json: viewer/package-lock.json
	cd viewer && npm ci --silent --no-audit --no-fund --prefer-offline --fetch-retries=0 --fetch-timeout=20000 && touch node_modules/.package-lock.json

viewer/dist/viewer.js: $(VIEWER) viewer/node_modules/.package-lock.json
	cd viewer && npm run --silent build -- --logLevel warn

# Instructions are counted on the optimised program, which is built only where valgrind can run it.
test: viewer
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	if command -v valgrind >/dev/null; then $(CARGO) build --release --package borelli; fi
	BORELLI_RELEASE_BIN=$(RELEASE) $(CARGO) test --workspace
	sh viewer/test/run.sh $(DEBUG)

# Full sizes: the whole gallery at many states.
test-slow: build
	BORELLI_SLOW=1 $(CARGO) test --workspace --release
	BORELLI_SLOW=1 sh viewer/test/run.sh $(RELEASE)
	$(BORELLI) compare --all --states 10000

# Spoiled files for every reader of measured data, one minute each; `make fuzz SECONDS=600 SEED=2` for another hunt.
fuzz:
	$(CARGO) run --quiet --release --package borelli-data --example fuzz -- $(or $(SECONDS),60) $(or $(SEED),1)

bench: build
	$(BORELLI) bench

fmt:
	$(CARGO) fmt --all
