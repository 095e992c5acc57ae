"""nixw: failures end with a last line that says why, leave nothing broken, and the next run continues."""

import threading

from box import as_root, failed, sha256


def test_a_file_that_the_mirror_does_not_have(box):
    box.serve()
    box.add_target()
    box.add_file("a.deb")
    box.add_file("gone.deb", serve=False)
    failed(box.run("build", ".#torch"), "gone.deb", "404")
    assert not box.calls("nix", "build") and box.kept() == ["a.deb"] and not box.stored("a.deb")

    box.asked.clear()
    (box.pool / "debian/pool/main/x/gone.deb").write_bytes(b"gone.deb")
    assert box.run("build", ".#torch").returncode == 0
    assert box.asked == ["/debian/pool/main/x/gone.deb"]
    assert box.stored("a.deb") and box.stored("gone.deb") and not box.kept()


def test_a_file_with_other_content(box):
    box.serve()
    box.add_target()
    box.add_file("a.deb")
    box.answers["/debian/pool/main/x/a.deb"] = b"hacked"
    failed(box.run("build", ".#torch"), "a.deb", "Hash Sum mismatch")
    assert not box.stored("a.deb") and not box.calls("nix-store", "--add-fixed")
    box.answers.clear()
    assert box.run("build", ".#torch").returncode == 0
    assert box.stored("a.deb") == b"a.deb"


def test_half_a_file_from_an_earlier_run(box):
    box.serve()
    box.add_target()
    box.add_file("a.deb", b"a" * 9999)
    half = box.home / ".cache/torch-nixw/files" / (sha256(b"a" * 9999) + "-a.deb") / "a.deb"
    half.parent.mkdir(parents=True)
    half.write_bytes(b"a" * 5000)
    assert box.run("build", ".#torch").returncode == 0
    assert box.stored("a.deb") == b"a" * 9999


def test_no_network(box):
    box.add_target()
    box.add_file("a.deb")
    failed(box.run("build", ".#torch", TORCH_DEBIAN_MIRROR="http://127.0.0.1:9/debian"), "a.deb", "onnect")
    # Debian 12's apt says "Connection refused", Debian 13's "Unable to connect"


def test_no_mirror(box):
    box.add_target()
    box.add_file("a.deb")
    box.add_tool("apt-get", "#!/bin/sh\n")
    failed(box.run("build", ".#torch"), "a.deb", "TORCH_DEBIAN_MIRROR")


@as_root
def test_full_disk(box):
    box.serve()
    box.add_target()
    box.add_file("a.deb", b"a" * 500_000)
    tiny = box.in_namespace(f"mkdir -p {box.home}/.cache; mount -t tmpfs -o size=64k tmpfs {box.home}/.cache")
    failed(box.run("build", ".#torch", prefix=tiny), "a.deb", "No space left on device")
    assert not box.stored("a.deb")
    assert box.run("build", ".#torch").returncode == 0
    assert box.stored("a.deb")


@as_root
def test_full_disk_without_a_single_byte(box):
    box.serve()
    box.add_target()
    box.add_file("a.deb")
    full = box.in_namespace(f"mkdir -p {box.home}/.cache; mount -t tmpfs -o nr_inodes=1 tmpfs {box.home}/.cache")
    failed(box.run("build", ".#torch", prefix=full), "cannot write", "torch-nixw")


def test_full_store(box):
    box.serve()
    box.add_target()
    box.add_file("a.deb")
    (box.fake / "store-is-full").write_text("")
    failed(box.run("build", ".#torch"), "store")
    box.asked.clear()
    (box.fake / "store-is-full").unlink()
    assert box.run("build", ".#torch").returncode == 0
    assert box.stored("a.deb") and not box.asked


def test_a_lock_that_contradicts_itself(box):
    box.serve()
    box.add_target()
    box.add_file("a.deb")
    derivation = box.fake / "a.deb.drv"
    derivation.write_text(derivation.read_text().replace('store/a.deb"', 'store/b.deb"'))
    failed(box.run("build", ".#torch"), "lock", "b.deb")


def test_an_evaluation_error_is_left_to_nix(box):
    result = box.run("build", ".#nonsense")
    assert result.returncode == 0 and box.last()["args"] == ["build", *box.override, ".#nonsense"]


def test_two_at_once(box):
    box.serve()
    box.add_target()
    for number in range(20):
        box.add_file(f"{number}.deb")
    results = []
    threads = [threading.Thread(target=lambda: results.append(box.run("build", ".#torch"))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [result.returncode for result in results] == [0, 0, 0], results
    assert len(box.asked) == 20 and not box.kept()


def test_a_machine_that_forbids_the_sandbox(box):
    box.add_tool("unshare", "#!/bin/sh\nexit 1\n")
    box.serve()
    box.add_target()
    box.add_file("a.deb")
    result = box.run("build", ".#torch")
    failed(result, "NIX_CONFIG='sandbox = false'")
    assert "namespaces" in result.stderr and not box.asked
    for by_hand in ({"NIX_CONFIG": "sandbox = false"}, {}):
        (box.fake / "store/a.deb").unlink(missing_ok=True)
        assert box.run("build", ".#torch", *([] if by_hand else ["--no-sandbox"]), **by_hand).returncode == 0
        assert box.stored("a.deb")
