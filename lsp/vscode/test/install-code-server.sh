#!/bin/sh
# Installs a real VS Code for `pytest -m vscode`, from npm alone: code-server 4.100.3, which is VS Code 1.100.3 and the last
# one for Node 20. About 330 MB, in a minute.
# Needed: Node 20 with its headers, g++, make, python3, rg, and a Chromium for the tests (apt-get install ripgrep chromium).
# Usage: install-code-server.sh FOLDER; then TRACECITE_CODE_SERVER=FOLDER pytest -m vscode
set -eu
folder=$1
ripgrep=$(command -v rg) || { echo "rg is needed: apt-get install ripgrep" >&2; exit 1; }
mkdir -p "$folder"
cd "$folder"
test -f package.json || npm init --yes >/dev/null
export npm_config_build_from_source=true npm_config_audit=false npm_config_fund=false

# Scripts of packages are not run: they would download programs, and build what no test needs. What is left out by that and
# needed is built by name: argon2 (code-server itself), spdlog and the watchdog (the extension host).
npm install --ignore-scripts code-server@4.100.3
npm rebuild argon2
cd node_modules/code-server/lib/vscode
npm install --ignore-scripts --omit=dev
npm rebuild @vscode/spdlog native-watchdog
ln -sfn node_modules node_modules.asar
mkdir -p node_modules/@vscode/ripgrep/bin
ln -sf "$ripgrep" node_modules/@vscode/ripgrep/bin/rg
cd extensions
npm install --ignore-scripts --omit=dev
