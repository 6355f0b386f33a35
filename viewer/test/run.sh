#!/bin/sh
# Browser tests of the page: `sh viewer/test/run.sh PROGRAM`. Installs what is missing where that is possible (packages of viewer/, Debian's Chromium and PDF
# tools); where it is not, says so with a count and ends well, so that a machine without a browser can still test all the rest.
set -u
program=$(realpath "$1")
cd "$(dirname "$0")/.."
skip() {
  echo "browser tests skipped: $1"
  echo "0 passed, 0 failed, $(grep -hE '^ *test\(' test/*.test.js | wc -l) skipped"
  exit 0
}
quietly() { "$@" >/dev/null 2>&1; }
command -v node >/dev/null || skip "there is no Node"
[ -s dist/viewer.js ] || skip "the viewer is not built (make viewer)"
[ -d node_modules/playwright-core ] || quietly npm ci || skip "the packages of viewer/ cannot be had"
missing=""
command -v chromium >/dev/null || missing="chromium"
command -v pdfinfo >/dev/null || missing="$missing poppler-utils"
if [ -n "$missing" ]; then
  # shellcheck disable=SC2086
  { quietly apt-get update && quietly apt-get install -y --no-install-recommends $missing; } || skip "cannot install $missing"
fi
BORELLI_BIN=$program BORELLI_CHROMIUM=$(command -v chromium) exec node --test --test-concurrency=1 test/*.test.js
