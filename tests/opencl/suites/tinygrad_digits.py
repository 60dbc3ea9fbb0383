# SPDX-License-Identifier: Apache-2.0
"""Run by test_tinygrad.py, once with DEV=CL and once with DEV=CPU: trains a network to recognise handwritten digits, and
prints what it takes those for that it has not seen, a line each, and then how many of them it has right."""
from sklearn.datasets import load_digits  # 1,797 pictures of 8 x 8, which are a part of the package
from tinygrad import Context, Tensor, nn

STEPS, BATCH, SEEN = 200, 64, 1500


def main():
    digits = load_digits()
    x, y = (digits.data / 16).astype("float32"), digits.target.astype("int32")
    Tensor.manual_seed(5)
    first, second = nn.Linear(64, 32), nn.Linear(32, 10)
    optimizer = nn.optim.SGD(nn.state.get_parameters([first, second]), lr=0.5)
    with Context(TRAINING=1):
        for step in range(STEPS):
            at = step * BATCH % (SEEN - BATCH)
            optimizer.zero_grad()
            said = second(first(Tensor(x[at:at + BATCH])).relu())
            said.sparse_categorical_crossentropy(Tensor(y[at:at + BATCH])).backward()
            optimizer.step()
    found = second(first(Tensor(x[SEEN:])).relu()).argmax(1).numpy()
    print(*found, sep="\n")
    print(f"right: {(found == y[SEEN:]).sum()} of {len(found)}")


if __name__ == "__main__":
    main()
