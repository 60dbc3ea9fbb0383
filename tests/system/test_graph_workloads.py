# SPDX-License-Identifier: Apache-2.0
"""Real workloads as task graphs: each one submission and one completion, with the results of the host."""
import array
import contextlib
import random

import pytest

import ganger
import graph_network as network
from graph_kit import data_of, run, states
from graph_pictures import pipeline
from support import LONG, words, zeros

W, H = 64, 48
TILE = 8  # As in graph_cholesky.c.


@contextlib.contextmanager
def one_completion(dev):
    """What happens in the block is one task for the host."""
    before = dev.stat()["tasks_completed"]
    yield
    assert dev.stat()["tasks_completed"] == before + 1


def signed(buffer):
    """Words of a buffer as signed numbers."""
    return array.array("i", buffer.read()).tolist()


def picture_graph(dev, module, colours, least, out, small):
    """Twelve passes and a copy."""
    g, n, grid, block, rest = ganger.Graph(dev, "pictures"), W * H, (W // 16, H // 4), (16, 4), (W, H)
    t = {name: g.buffer(4 * n, name) for name in ("plain", "row", "soft", "x", "y", "edges", "even", "joined")}
    bins, table = g.buffer(1024, "bins"), g.buffer(1024, "table")

    def area(name, source, to, *more):
        g.pass_(module[name], grid, block, [source, g.write(to), *rest, *more])

    def line(name, *args):
        g.pass_(module[name], n // 64, 64, [*args])

    area("image_grey", colours, t["plain"])
    g.fill(bins, 0)
    area("image_blur", t["plain"], t["row"], 0)
    area("image_blur", t["row"], t["soft"], 1)
    line("image_counts", t["plain"], g.update(bins), n)
    area("image_slope", t["soft"], t["x"], 0)
    area("image_slope", t["soft"], t["y"], 1)
    g.pass_(module["image_table"], 1, 1, [bins, g.write(table), n])
    line("image_edge", t["x"], t["y"], g.write(t["edges"]), n)
    line("image_map", t["plain"], table, g.write(t["even"]), n)
    line("image_join", t["even"], t["edges"], g.write(t["joined"]), n, least)
    area("image_half", t["joined"], small)
    g.copy(out, t["joined"])
    return g


@pytest.mark.parametrize("emphasis", ("speed", "resource"))
def test_pictures(device, load, emphasis):
    """S2-R5 to S2-R7, S2-R23, S2-R29, S2-R43, S2-R57: an image pipeline of twelve passes with two branches."""
    dev = device()
    rng = random.Random(7)
    picture = [(x * 4 << 16 | y * 5 << 8 | (x * y + rng.randrange(40)) & 255) & 0xffffff
               for y in range(H) for x in range(W)]
    out, small = zeros(dev, W * H), zeros(dev, W * H // 4)
    g = picture_graph(dev, load(dev, "graph_image"), dev.buffer(data_of(picture)), 40, out, small)
    with one_completion(dev):
        task = run(g, dev, emphasis=emphasis)
    joined, halved, _table = pipeline(picture, W, H, 40)
    assert words(out.read()) == joined and words(small.read()) == halved
    assert task.report.total == 13 and states(task) == "D" * 13
    peak, total = task.report.peak_bytes, task.report.sum_bytes
    assert peak < total if emphasis == "resource" else peak == total


def network_graph(dev, module, weights):
    """Convolution, pooling, convolution, pooling, two dense layers, and the largest: input and output are arguments."""
    g = ganger.Graph(dev, "network")
    planes, sizes, shifts = network.PLANES, network.SIZES, network.SHIFTS
    image, out, best = (g.argument(name, nbytes) for name, nbytes in (("image", 1024), ("out", 40), ("best", 4)))
    steps = (("net_convolve", weights.first, planes[1] * sizes[1] ** 2, [planes[0], sizes[0], planes[1], shifts[0]]),
             ("net_pool", None, planes[1] * sizes[2] ** 2, [planes[1], sizes[1]]),
             ("net_convolve", weights.second, planes[2] * sizes[3] ** 2, [planes[1], sizes[2], planes[2], shifts[1]]),
             ("net_pool", None, planes[2] * sizes[4] ** 2, [planes[2], sizes[3]]),
             ("net_dense", weights.hidden, network.HIDDEN, [planes[2] * sizes[4] ** 2, network.HIDDEN, shifts[2], 0]),
             ("net_dense", weights.last, network.CLASSES, [network.HIDDEN, network.CLASSES, shifts[3], 1]))
    last = g.read(image)
    for number, (kernel, layer, count, rest) in enumerate(steps):
        to = out if number == len(steps) - 1 else g.buffer(4 * count)
        held = [] if layer is None else [dev.buffer(array.array("i", layer))]
        g.pass_(module[kernel], (count + 31) // 32, 32, [last, *held, g.write(to), *rest], name=f"{kernel}{number}")
        last = to
    g.pass_(module["net_largest"], 1, 1, [g.read(out), g.write(best), network.CLASSES])
    return g


def test_network(device, load):
    """S2-R5 to S2-R7, S2-R57, S2-Q20: a neural network of seven layers, kept and run for eight pictures: what the layers give,
    and the class."""
    dev = device()
    weights = network.make_weights()
    g = network_graph(dev, load(dev, "graph_network"), weights)
    inputs = [network.make_image(seed) for seed in range(8)]
    buffers = [(dev.buffer(data_of(one)), zeros(dev, 10), zeros(dev, 1)) for one in inputs]
    with g.keep(dev) as kept:
        for image, (source, out, best) in zip(inputs, buffers):
            with one_completion(dev):
                task = kept.launch(image=source, out=out, best=best)
                task.wait(LONG)
            expected = network.run_network(image, weights)
            assert signed(out) == expected and words(best.read()) == [expected.index(max(expected))]
            assert states(task) == "D" * 7
    assert len({tuple(signed(out)) for _source, out, _best in buffers}) == 8


CHOLESKY = """graph cholesky(a: buffer, l: buffer, tiles: int)
transient t[100](256)
pass get(to: export, row: int, column: int, n: int, a: import) {
    state tile_get block 8  dispatch args (a, to, row, column, n)
}
pass factor(tile: update) { state tile_factor block 8  dispatch args (tile) }
pass solve(diagonal: import, tile: update) { state tile_solve block 8  dispatch args (diagonal, tile) }
pass apply(left: import, right: import, tile: update) {
    state tile_update block 8  dispatch args (left, right, tile)
}
pass put(from: import, row: int, column: int, n: int, l: shared) {
    state tile_put block 8  dispatch args (from, l, row, column, n)
}
int n = tiles * 8
for i in 0 .. tiles { for j in 0 .. i + 1 { get(t[i * tiles + j], i, j, n, a) } }
for k in 0 .. tiles {
    factor(t[k * tiles + k])
    for i in k + 1 .. tiles { solve(t[k * tiles + k], t[i * tiles + k]) }
    for i in k + 1 .. tiles { for j in k + 1 .. i + 1 { apply(t[i * tiles + k], t[j * tiles + k], t[i * tiles + j]) } }
}
for i in 0 .. tiles { for j in 0 .. i + 1 { put(t[i * tiles + j], i, j, n, l) } }
"""


def factor_of(n, seed):
    """A lower triangle of small whole numbers with powers of two in its diagonal: floats have all that comes of it
    without rounding, so the device must find exactly this again."""
    rng = random.Random(seed)
    return [[rng.choice((1, 2, 4)) if i == j else rng.randint(-3, 3) if j < i else 0 for j in range(n)]
            for i in range(n)]


def product(factor):
    """L times its transpose, as floats row by row."""
    return array.array("f", (sum(a * b for a, b in zip(row, other)) for row in factor for other in factor))


@pytest.mark.parametrize("tiles", (1, 2, 5, 8))
def test_cholesky(device, load, tiles):
    """S2-R2, S2-R8, S2-R24, S2-R25, S2-R53, S2-V7, S2-A2, S2-A3: a tiled Cholesky factorisation, its passes made by loops: as
    many as the arithmetic says, each with its own tiles."""
    dev = device()
    n = TILE * tiles
    factor = factor_of(n, tiles)
    a, found = dev.buffer(product(factor)), zeros(dev, n * n)
    text = ganger.graph_of(CHOLESKY)
    with one_completion(dev):
        task = run(text, dev, modules=[load(dev, "graph_cholesky")], a=a, l=found, tiles=tiles, memory=100 * 256)
    made = array.array("f", found.read()).tolist()
    assert made == [float(one) for row in factor for one in row]
    names = [one.name.split("#")[0] for one in task.report.passes]
    half = tiles * (tiles - 1) // 2
    updates = sum(rest * (rest + 1) // 2 for rest in range(tiles))
    assert [names.count(one) for one in ("get", "factor", "solve", "apply", "put")] == \
        [tiles + half, tiles, half, updates, tiles + half]
    assert task.report.total == len(names) and (tiles < 3 or task.report.at_once > 1)
