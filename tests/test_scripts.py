"""The scripts: that they parse, and that what is missing is said in one sentence."""

import os
import shutil
import stat
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import pytest

TOP = Path(__file__).resolve().parent.parent
SHELL = ["scripts/common.sh", "scripts/test", "scripts/demo", "scripts/bench", ".ci/run"]
EXECUTABLE = ["scripts/neo4j", "scripts/test", "scripts/demo", "scripts/bench", ".ci/run"]


@pytest.fixture
def neo4j_script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """scripts/neo4j as a module, on a machine with no Java in the usual folders."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    loader = SourceFileLoader("neo4j_script", str(TOP / "scripts/neo4j"))
    spec = spec_from_loader(loader.name, loader)
    assert spec
    module = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, loader.name, module)
    loader.exec_module(module)
    monkeypatch.setattr(module, "JVM_FOLDERS", ())
    monkeypatch.delenv("JAVA_HOME", raising=False)
    return module


@pytest.fixture
def path_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder on the PATH, empty; the cache of jars is empty too."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return folder


def fake_java(folder: Path, release: int, compiler: bool = True) -> None:
    java = folder / "java"
    modules = f"java.base@{release}.0.1" + (f"\njdk.compiler@{release}.0.1" if compiler else "")
    java.write_text(f"#!/bin/sh\necho '{modules}'\n")
    java.chmod(0o755)


def sentence(captured: pytest.CaptureFixture[str]) -> str:
    out, err = captured.readouterr()
    assert out == ""
    (line,) = err.splitlines()
    return str(line)


@pytest.mark.parametrize("script", SHELL)
def test_shell_scripts_parse(script: str) -> None:
    subprocess.run(["bash", "-n", TOP / script], check=True)


@pytest.mark.parametrize("script", EXECUTABLE)
def test_scripts_are_executable(script: str) -> None:
    assert os.access(TOP / script, os.X_OK)


def test_ci_runs_the_test_script() -> None:
    assert (TOP / ".ci/run").read_text().splitlines()[-1] == "exec scripts/test"


@pytest.mark.skipif(not shutil.which("make"), reason="make is not installed")
def test_make_lists_its_targets() -> None:
    shown = subprocess.run(["make", "--no-print-directory"], cwd=TOP, check=True, capture_output=True, text=True).stdout
    assert {line.split()[0] for line in shown.splitlines()} >= {"test", "lint", "format", "types", "demo", "bench"}


def test_neo4j_in_a_bare_environment_fails_with_one_sentence(tmp_path: Path) -> None:
    bare = {"PATH": "", "XDG_CACHE_HOME": str(tmp_path)}
    command = [sys.executable, str(TOP / "scripts/neo4j"), "start", "--home", str(tmp_path / "home")]
    done = subprocess.run(command, env=bare, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert "needs a JDK 17" in line or "Maven (mvn) is needed" in line  # by whether /usr/lib/jvm has a Java


@pytest.mark.usefixtures("path_folder")
def test_neo4j_without_java(neo4j_script: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert neo4j_script.main(["start", "--home", str(tmp_path / "home")]) == 1
    said = "needs a JDK 17 or newer, and none was found (JAVA_HOME, PATH, /usr/lib/jvm)."
    assert sentence(capsys) == f"scripts/neo4j: Neo4j {neo4j_script.DEFAULT_VERSION} {said}"


@pytest.mark.parametrize(("version", "release", "needed"), [("5.26.30", 11, 17), ("2026.08.1", 17, 21)])
def test_neo4j_with_a_java_too_old(
    neo4j_script: ModuleType,
    path_folder: Path,
    capsys: pytest.CaptureFixture[str],
    version: str,
    release: int,
    needed: int,
) -> None:
    fake_java(path_folder, release)
    assert neo4j_script.main(["check", "--version", version]) == 1
    assert f"needs a JDK {needed} or newer, and the newest one found is {release}" in sentence(capsys)


def test_neo4j_passes_over_a_java_without_a_compiler(neo4j_script: ModuleType, path_folder: Path) -> None:
    fake_java(path_folder, 25, compiler=False)
    with pytest.raises(neo4j_script.Trouble, match="none was found"):
        neo4j_script.find_java("5.26.30")


def test_neo4j_without_maven(
    neo4j_script: ModuleType, path_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fake_java(path_folder, 21)
    assert neo4j_script.main(["start", "--home", str(tmp_path / "home")]) == 1
    assert "Maven (mvn) is needed" in sentence(capsys)


@pytest.mark.parametrize("version", ["4.4.1", "newest", " ", "5"])
def test_neo4j_refuses_an_odd_version(
    neo4j_script: ModuleType, version: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert neo4j_script.main(["check", "--version", version]) == 1
    assert "--version must be" in sentence(capsys)


@pytest.mark.usefixtures("path_folder")
def test_graph_data_science_is_for_one_line_of_neo4j(neo4j_script: ModuleType, tmp_path: Path) -> None:
    with pytest.raises(neo4j_script.Trouble, match=r"--gds is for Neo4j 5\.26\.x, and this is 2026\.08\.1"):
        neo4j_script.fetch_gds("2026.08.1", tmp_path, tmp_path / "java")
    with pytest.raises(neo4j_script.Trouble, match="fetch the jars of Graph Data Science"):
        neo4j_script.fetch_gds("5.26.30", tmp_path, tmp_path / "java")


def test_a_running_server_does_not_get_the_library(
    neo4j_script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    home = neo4j_script.Home(tmp_path)
    home.remember(neo4j_script.State(os.getpid(), 7687, "5.26.30"))
    monkeypatch.setattr(neo4j_script.Home, "owns", lambda _, pid: pid == os.getpid())
    assert neo4j_script.main(["start", "--home", str(tmp_path), "--gds"]) == 1
    assert "runs without Graph Data Science; stop it first" in sentence(capsys)


@pytest.mark.parametrize(
    ("jar", "name"),
    [
        ("neo4j-bolt-5.26.30.jar", "neo4j-bolt"),
        ("org.javassist.javassist-3.28.0-GA.jar", "org.javassist.javassist"),
        ("netty-common-4.1.132.Final.jar", "netty-common"),
        ("org.opencypher.cypher-ast-factory-9.0-9.0.20210312.jar", "org.opencypher.cypher-ast-factory-9.0"),
    ],
)
def test_jars_are_known_by_their_names(neo4j_script: ModuleType, jar: str, name: str) -> None:
    assert neo4j_script.artifact(Path(jar)) == name


@pytest.mark.parametrize("command", ["url", "status", "run"])
def test_neo4j_says_that_no_server_runs(
    neo4j_script: ModuleType, tmp_path: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert neo4j_script.main([command, "--home", str(tmp_path)]) == 1
    assert "No server runs in" in sentence(capsys)


def test_neo4j_knows_a_stale_pid(neo4j_script: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home = neo4j_script.Home(tmp_path)
    home.remember(neo4j_script.State(os.getpid(), 7687, "5.26.30"))  # alive, but no server
    assert home.running() is None
    assert neo4j_script.main(["stop", "--home", str(tmp_path)]) == 0
    assert "no server runs" in capsys.readouterr().out


def test_neo4j_keeps_its_password_to_its_owner(neo4j_script: ModuleType, tmp_path: Path) -> None:
    home = neo4j_script.Home(tmp_path)
    password = home.password()
    assert len(password) >= 24
    assert home.password() == password
    assert stat.S_IMODE((tmp_path / "password").stat().st_mode) == 0o600


def test_compose_demands_a_password() -> None:
    text = (TOP / "docker/compose.yaml").read_text()
    assert "${NEO4J_PASSWORD:?" in text
    services = pytest.importorskip("yaml").safe_load(text)["services"]
    assert "${NEO4J_PASSWORD:?" in services["neo4j"]["environment"]["NEO4J_AUTH"]
    assert "${NEO4J_PASSWORD:?" in services["graphmine"]["environment"]["NEO4J_PASSWORD"]
    assert services["graphmine"]["depends_on"]["neo4j"]["condition"] == "service_healthy"
    assert (TOP / "docker" / services["graphmine"]["build"]["context"] / "docker/Dockerfile").exists()
