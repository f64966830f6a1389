# Shared by the scripts beside it: sourced, never run. Leaves the shell at the top of the checkout.

cd "$(dirname "${BASH_SOURCE[0]}")/.."

die() {
  echo "$(basename "$0"): $*" >&2
  exit 1
}

# The first Python that can make the environment: PYTHON if set, else what the PATH has.
find_python() {
  local candidate
  for candidate in "${PYTHON:-}" python3 python3.14 python3.13 python3.12 python3.11 python; do
    if [[ -n $candidate ]] && "$candidate" -c 'import sys, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
    then
      echo "$candidate"
      return
    fi
  done
  die "Python 3.11 or newer (with venv and ensurepip) is needed, and none was found; set PYTHON to name one."
}

# use_venv NAME PIP-ARGUMENTS...: an environment in .venv with the project in it, first on the PATH. The install is left
# out as long as pyproject.toml is what it was when NAME was last installed.
use_venv() {
  local name=$1 stamp=".venv/installed-$1" python
  shift
  if ! .venv/bin/python -c '' 2>/dev/null; then
    python=$(find_python)
    echo "Making .venv with $("$python" --version) ..." >&2
    "$python" -m venv --clear .venv
  fi
  export PATH="$PWD/.venv/bin:$PATH"
  unset PYTHONHOME
  if ! cmp -s pyproject.toml "$stamp"; then
    echo "Installing graphmine and what it needs ($name) into .venv ..." >&2
    python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
    python -m pip install --quiet --disable-pip-version-check "$@"
    cp pyproject.toml "$stamp"
  fi
}

use_dev_venv() { use_venv dev --editable . --group dev; }

check_style() {
  ruff check . scripts/neo4j
  ruff format --check . scripts/neo4j
}

check_types() {
  mypy
  mypy --strict --scripts-are-modules scripts/neo4j
}

# A real Neo4j in a folder of its own, so that a server of the user's is never touched; gone when the script ends.
# GRAPHMINE_NEO4J_VERSION picks the version; arguments go on to `scripts/neo4j start`.
start_neo4j() {
  neo4j_home=$(mktemp -d "${TMPDIR:-/tmp}/graphmine-neo4j.XXXXXX")
  trap 'scripts/neo4j stop --home "$neo4j_home" >/dev/null || true; rm -rf "$neo4j_home"' EXIT
  GRAPHMINE_TEST_NEO4J_URI=$(
    scripts/neo4j start --home "$neo4j_home" ${GRAPHMINE_NEO4J_VERSION:+--version "$GRAPHMINE_NEO4J_VERSION"} "$@"
  )
  GRAPHMINE_TEST_NEO4J_USERNAME=neo4j
  GRAPHMINE_TEST_NEO4J_PASSWORD=$(<"$neo4j_home/password")
  export GRAPHMINE_TEST_NEO4J_URI GRAPHMINE_TEST_NEO4J_USERNAME GRAPHMINE_TEST_NEO4J_PASSWORD
}
