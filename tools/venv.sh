#!/bin/sh
# Makes the virtual environment in .venv, unless it is there and works.
# Needs Python 3.11 or newer; PYTHON=/path/to/python names one. Debian and Ubuntu ship Python without the venv module:
# as root it is installed, otherwise the message says what to install.
set -eu
case $0 in */*) here=${0%/*} ;; *) here=. ;; esac  # no dirname: without it this would be /, and /.venv be made
cd "${here:-/}/.."

fail() {
    echo "cardref: $1" >&2
    exit 1
}

works() {
    .venv/bin/python -c 'import sys, pip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
}

find_python() {
    for name in ${PYTHON:-python3 python3.13 python3.12 python3.11}; do
        if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$name"
            return
        fi
    done
    fail "no Python 3.11 or newer among ${PYTHON:-python3, python3.13, python3.12, python3.11}; install one, or name it: make PYTHON=/path/to/python"
}

works && exit 0
python=$(find_python)
if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
    package="$("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')"
    command -v apt-get >/dev/null && [ "$(id -u)" = 0 ] ||
        fail "$python cannot make virtual environments; install its venv module (on Debian and Ubuntu: sudo apt-get install $package)"
    echo "cardref: $python cannot make virtual environments; installing $package"
    { apt-get update -q && apt-get install -qy --no-install-recommends "$package"; } || fail "could not install $package"
fi
echo "cardref: making .venv with $("$python" --version)"
"$python" -m venv --clear .venv
works || fail "the virtual environment in .venv does not work; remove it and try again"
