# SPDX-License-Identifier: Apache-2.0
"""Run by test_tinygrad.py, with DEV=CL: compares tinygrad with NumPy, and trains a network to tell four shapes apart."""
import numpy as np
from tinygrad import Context, Device, Tensor, nn

SHAPES = ("####" + "#..#" * 2 + "####", "#..." * 4, "####" + "...." * 3, "#....#....#....#")


def operations():
    rng = np.random.default_rng(1)
    a, b = rng.random((16, 24), np.float32), rng.random((24, 8), np.float32)
    np.testing.assert_allclose((Tensor(a) @ Tensor(b)).numpy(), a @ b, rtol=1e-4)
    np.testing.assert_allclose(Tensor(a).sum(1).numpy(), a.sum(1), rtol=1e-4)
    exponents = np.exp(a - a.max(1, keepdims=True))
    np.testing.assert_allclose(Tensor(a).softmax().numpy(), exponents / exponents.sum(1, keepdims=True), rtol=1e-4)
    np.testing.assert_array_equal(Tensor.arange(20).reshape(4, 5).cumsum(1).numpy(), np.arange(20).reshape(4, 5).cumsum(1))


def pictures(rng, count):
    """Noisy pictures of 4 x 4, and which shape each shows."""
    plain = np.array([[dot == "#" for dot in shape] for shape in SHAPES], np.float32)
    which = rng.integers(len(SHAPES), size=count)
    return plain[which] + rng.normal(0, 0.2, (count, 16)).astype(np.float32), which.astype(np.int32)


def train():
    rng = np.random.default_rng(2)
    Tensor.manual_seed(3)
    first, second = nn.Linear(16, 12), nn.Linear(12, len(SHAPES))
    optimizer = nn.optim.SGD(nn.state.get_parameters([first, second]), lr=0.5)
    with Context(TRAINING=1):
        for _step in range(30):
            x, y = pictures(rng, 32)
            optimizer.zero_grad()
            loss = second(first(Tensor(x)).relu()).sparse_categorical_crossentropy(Tensor(y))
            loss.backward()
            optimizer.step()
    x, y = pictures(rng, 64)
    right = (second(first(Tensor(x)).relu()).argmax(1).numpy() == y).mean()
    assert right > 0.95, right


if __name__ == "__main__":
    assert Device.DEFAULT == "CL", Device.DEFAULT
    operations()
    train()
    print("all right")
