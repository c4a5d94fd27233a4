"""Work goes on in other threads, and files are safe in several."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import bitexact
from conftest import GOLDEN, WORLD, files


def test_other_threads_run_while_files_are_verified():
    ticks, stop = [], threading.Event()

    def tick():
        while not stop.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    begin = time.perf_counter()
    try:
        bitexact.verify(GOLDEN, via_exchange=True, jobs=1)
    finally:
        end = time.perf_counter()
        stop.set()
        thread.join()
    during = [at for at in ticks if begin < at < end]
    assert len(during) > 5, f"{len(during)} ticks in {end - begin:.3f} s"


def test_files_are_read_in_parallel():
    paths = [path for path in files(GOLDEN) if path.suffix == ".zbd"]
    with ThreadPoolExecutor(8) as pool:
        models = list(pool.map(bitexact.read, paths * 3))
    for path, model in zip(paths * 3, models):
        assert model.to_bytes() == path.read_bytes()


def test_one_file_in_several_threads():
    model = bitexact.read(WORLD)

    def edit(number):
        for turn in range(20):
            model.set(f"/nodes/slots/{4 + number * 2}/zone_id", turn)
            assert model.get("/nodes/slots/0/name") == "world1"
            if turn % 10 == 0:
                model.models.slots[number].vertices[0, 0] = number
        return number

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(edit, range(4))) == [0, 1, 2, 3]
    data = model.to_bytes()
    assert [model.nodes.slots[4 + number * 2].zone_id for number in range(4)] == [19] * 4
    assert data != WORLD.read_bytes()


def test_edits_of_several_threads_are_all_made():
    model = bitexact.read(WORLD)

    def edit(number):
        for turn in range(5):
            model.edit(set={f"/nodes/slots/{4 + number * 2}/zone_id": turn + number})
            model.set(f"/nodes/slots/{5 + number * 2}/zone_id", turn)
            model.models.slots[number].vertices[0, 0] = turn
        return number

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(edit, range(4))) == [0, 1, 2, 3]
    again = bitexact.read(WORLD)
    for number in range(4):
        again.set(f"/nodes/slots/{4 + number * 2}/zone_id", 4 + number)
        again.set(f"/nodes/slots/{5 + number * 2}/zone_id", 4)
        again.models.slots[number].vertices[0, 0] = 4
    assert model.to_bytes() == again.to_bytes()
