# SPDX-License-Identifier: Apache-2.0
"""A small neural network in integers: its weights, which depend on a seed alone, and its layers in Python. The same
layers as kernels: tests/kernels/graph_network.c. `python graph_network.py` writes the weights as text."""
import random
from typing import List, NamedTuple

SEED = 20200529
IMAGE = 16    # Pixels of an edge.
PLANES = (1, 4, 8)  # Input, after the first convolution, after the second.
SIZES = (16, 14, 7, 5, 2)  # Edge of the input, and after convolution, pooling, convolution, pooling.
HIDDEN, CLASSES = 24, 10
SHIFTS = (6, 7, 7, 6)


class Weights(NamedTuple):
    """Of the two convolutions and the two dense layers, as the kernels take them."""
    first: List[int]
    second: List[int]
    hidden: List[int]
    last: List[int]


def make_weights(seed=SEED):
    """The weights."""
    rng = random.Random(seed)

    def layer(results, inputs):
        return [rng.randint(-64, 64) for _one in range(results * (inputs + 1))]

    flat = PLANES[2] * SIZES[4] ** 2
    return Weights(layer(PLANES[1], 9 * PLANES[0]), layer(PLANES[2], 9 * PLANES[1]),
                   layer(HIDDEN, flat), layer(CLASSES, HIDDEN))


def make_image(seed):
    """An input: 0 to 127."""
    rng = random.Random(seed)
    return [rng.randint(0, 127) for _one in range(IMAGE * IMAGE)]


def convolve(planes, weights, count, size, results, shift):
    """As net_convolve."""
    width, out = size - 2, []
    for plane in range(results):
        own = weights[plane * (9 * count + 1):][:9 * count + 1]
        for y in range(width):
            for x in range(width):
                total = own[-1] + sum(own[9 * one + k] * planes[(one * size + y + k // 3) * size + x + k % 3]
                                      for one in range(count) for k in range(9))
                out.append(max(0, total >> shift))
    return out


def pool(planes, count, size):
    """As net_pool."""
    width = size // 2
    return [max(planes[(plane * size + 2 * y + dy) * size + 2 * x + dx] for dy in (0, 1) for dx in (0, 1))
            for plane in range(count) for y in range(width) for x in range(width)]


def dense(inputs, weights, results, shift, last):
    """As net_dense."""
    count, out = len(inputs), []
    for item in range(results):
        own = weights[item * (count + 1):][:count + 1]
        value = own[-1] + sum(one * other for one, other in zip(own, inputs)) >> shift
        out.append(value if last else max(0, value))
    return out


def run_network(image, weights):
    """Results of the last layer."""
    planes = convolve(image, weights.first, PLANES[0], SIZES[0], PLANES[1], SHIFTS[0])
    planes = pool(planes, PLANES[1], SIZES[1])
    planes = convolve(planes, weights.second, PLANES[1], SIZES[2], PLANES[2], SHIFTS[1])
    planes = pool(planes, PLANES[2], SIZES[3])
    return dense(dense(planes, weights.hidden, HIDDEN, SHIFTS[2], False), weights.last, CLASSES, SHIFTS[3], True)


if __name__ == "__main__":
    for name, layer in make_weights()._asdict().items():
        print(name, *layer)
