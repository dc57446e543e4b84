"""A repository that tries to run commands, lead out of its tree and break whoever reads it."""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

ATTRIBUTES = "*.py filter=evil diff=evil merge=evil\n*.txt filter=proc\n"


@dataclass(frozen=True)
class Hostile:
    """The repository, and the directory that gets a file for every command that it got run."""

    root: Path
    canary: Path

    @property
    def fired(self) -> list[str]:
        """The vectors that ran."""
        return sorted(path.name for path in self.canary.iterdir())


def plain_git(root: Path, *arguments: str) -> "subprocess.CompletedProcess[bytes]":
    """Run git as a careless user would, without a terminal."""
    identity = {
        f"GIT_{role}_{part}": "someone"
        for role in ("AUTHOR", "COMMITTER")
        for part in ("NAME", "EMAIL")
    }
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(root.parent),
        "GIT_TERMINAL_PROMPT": "0",
        **identity,
    }
    return subprocess.run(
        ["git", *arguments],
        cwd=root,
        env=environment,
        capture_output=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )


def build_hostile(parent: Path) -> Hostile:
    """Make the repository with honest content first, then arm it."""
    root, canary = parent / "hostile", parent / "canary"
    root.mkdir()
    canary.mkdir()
    plain_git(root, "init", "--quiet", "--initial-branch=main")
    _write_content(root)
    plain_git(root, "add", "--all")
    plain_git(root, "commit", "--quiet", "--message", "Honest work \x1b]0;owned\x07 \u202e")
    _write_traps(Hostile(root, canary))
    return Hostile(root, canary)


def add_odd_files(root: Path) -> None:
    """Put into a plain directory what cannot be committed, or hangs whoever opens it."""
    os.mkfifo(root / "pipe.py")
    (root / "outside.py").symlink_to("/etc/passwd")
    (root / "loop").symlink_to(root)
    (root / "line\nbreak.py").write_text("x = 1\n")
    (root / "escape\x1b]0;owned\x07.py").write_text("x = 1\n")
    Path(os.fsdecode(os.fsencode(root) + b"/caf\xe9.py")).write_text("x = 1\n")
    with (root / "giant.py").open("wb") as file:
        file.truncate(3 << 30)


def _write_content(root: Path) -> None:
    (root / ".gitattributes").write_text(ATTRIBUTES)
    (root / "app.py").write_text("def main():\n    return 1\n")
    (root / "notes.txt").write_text("plain\n")
    (root / "README").write_text("plain\n")
    (root / "broken.py").write_text("def broken(:\n")
    (root / "deep.py").write_text("x = " + "(" * 3000 + ")" * 3000 + "\n")
    (root / "chain.py").write_text("x = a" + ".b" * 20_000 + "\n")
    (root / "binary.py").write_bytes(b"x = 1\n\0\0")
    (root / "big.py").write_text("x = 1\n" * 400_000)
    (root / "bidi\u202e.py").write_text("x = '\u202e\u2066 \U000e0041'\n")
    (root / "passwd.py").symlink_to("/etc/passwd")
    nested = root.joinpath(*(["d"] * 60))
    nested.mkdir(parents=True)
    (nested / "far.py").write_text("far = 1\n")


def _write_traps(hostile: Hostile) -> None:
    git_directory = hostile.root / ".git"

    def fire(name: str) -> str:
        script = hostile.canary.parent / f"fire-{name}"
        script.write_text(
            f'#!/bin/sh\n: > "{hostile.canary}/{name}"\ncat 2>/dev/null </dev/null\nexit 0\n'
        )
        script.chmod(0o755)
        return str(script)

    extra = git_directory / "extra"
    extra.write_text(
        f"[alias]\n\trev-list = !{fire('alias')}\n[core]\n\taskPass = {fire('askpass')}\n"
    )
    config = f"""
[core]
\tfsmonitor = {fire("fsmonitor")}
\tsshCommand = {fire("ssh")}
\tpager = {fire("pager")}
\teditor = {fire("editor")}
\tgitProxy = {fire("proxy")}
\talternateRefsCommand = {fire("alternates")}
\tattributesFile = {git_directory}/info/attributes
[filter "evil"]
\tclean = {fire("clean")}
\tsmudge = {fire("smudge")}
\trequired = true
[filter "proc"]
\tprocess = {fire("process")}
[diff]
\texternal = {fire("external-diff")}
[diff "evil"]
\ttextconv = {fire("textconv")}
\tcommand = {fire("diff-driver")}
[merge "evil"]
\tdriver = {fire("merge")}
[uploadpack]
\tpackObjectsHook = {fire("pack-objects")}
\tallowFilter = true
[gpg]
\tprogram = {fire("gpg")}
[log]
\tshowSignature = true
[credential]
\thelper = {fire("credential")}
[protocol "ext"]
\tallow = always
[remote "origin"]
\turl = ext::{fire("ext")}
\tpromisor = true
\tuploadpack = {fire("uploadpack")}
[submodule "evil"]
\turl = ext::{fire("submodule")}
\tupdate = !{fire("submodule-update")}
\tactive = true
[include]
\tpath = extra
"""
    with (git_directory / "config").open("a") as file:
        file.write(config)
    (git_directory / "info").mkdir(exist_ok=True)
    (git_directory / "info/attributes").write_text(ATTRIBUTES)
    for hook in (
        "post-checkout",
        "reference-transaction",
        "pre-auto-gc",
        "post-index-change",
        "pre-commit",
    ):
        path = git_directory / "hooks" / hook
        path.parent.mkdir(exist_ok=True)
        path.write_text(f'#!/bin/sh\n: > "{hostile.canary}/{hook}"\n')
        path.chmod(0o755)
