#!/usr/bin/env bash
# Bring the browser that tests/browser drives, where there is none: Debian's as root, else playwright's own.
# Without one those tests are skipped, and say so.
set -u
python="${1:-python3}"

has_browser() {
    command -v chromium || command -v chromium-browser || command -v google-chrome || "$python" - <<'PYTHON'
import os, sys
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    sys.exit(not os.path.exists(playwright.chromium.executable_path))
PYTHON
}

has_browser > /dev/null 2>&1 && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
    echo "Installing chromium with apt-get, for the tests in a real browser: once, a minute or two."
    { apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends chromium; } > /dev/null 2>&1
else
    echo "Installing chromium with playwright, for the tests in a real browser: once, a minute or two."
    "$python" -m playwright install chromium > /dev/null 2>&1
fi
has_browser > /dev/null 2>&1 || echo "No browser could be installed: the tests in tests/browser will be skipped."
