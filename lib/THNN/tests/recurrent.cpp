// Recurrent units against the formulas element by element, layers against their units, and gradients against differences.
#include <functional>

#include <THNN/THNN.h>

#include "../../TH/tests/tensors.hpp"

using namespace test;

namespace {

using Numbers = std::vector<double>;
constexpr double kStep = 1e-6;

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

void expectNear(const Tensor &t, const Numbers &expected, double tolerance) {
  ASSERT_EQ(size_t(t->numel), expected.size());
  for (int64_t i = 0; i < t->numel; i++)
    ASSERT_NEAR(get(t, i), expected[size_t(i)], tolerance * (1 + std::fabs(expected[size_t(i)]))) << "element " << i;
}

// How sum(value()) changes with each element of t.
Numbers differences(const Tensor &t, const std::function<double()> &value) {
  Numbers result;
  for (int64_t i = 0; i < t->numel; i++) {
    const double kept = get(t, i);
    set(t, i, kept + kStep);
    const double above = value();
    set(t, i, kept - kStep);
    result.push_back((above - value()) / (2 * kStep));
    set(t, i, kept);
  }
  return result;
}

double weighted(const Tensor &t, uint64_t seed) {
  double sum = 0;
  for (int64_t i = 0; i < t->numel; i++) sum += get(t, i) * (noise(i, seed) * 4 - 2);
  return sum;
}

TEST(Recurrent, LstmCellAgainstItsFormula) {
  const int64_t n = 3, units = 37;
  const Tensor input = random(TH_Double, {n, 4 * units}), hidden = random(TH_Double, {n, 4 * units}, 2);
  const Tensor bias1 = random(TH_Double, {4 * units}, 3), bias2 = random(TH_Double, {4 * units}, 4);
  const Tensor c = random(TH_Double, {n, units}, 5);
  Numbers h, next;
  for (int64_t i = 0; i < n * units; i++) {
    const auto gate = [&](int64_t g) {
      const int64_t k = g * units + i % units, at = i / units * 4 * units + k;
      return get(input, at) + get(hidden, at) + get(bias1, k) + get(bias2, k);
    };
    next.push_back(sigmoid(gate(1)) * get(c, i) + sigmoid(gate(0)) * std::tanh(gate(2)));
    h.push_back(sigmoid(gate(3)) * std::tanh(next.back()));
  }
  Tensor gates = make(TH_Double, {n, 4 * units}, [&](int64_t i) { return get(input, i); }), y(TH_Double), cy(TH_Double);
  THNN_DoubleLSTMFused_updateOutput(nullptr, gates, hidden, bias1, bias2, c, y, cy);
  expectNear(y, h, 1e-13);
  expectNear(cy, next, 1e-13);

  const Tensor dy = random(TH_Double, {n, units}, 6), dcy = random(TH_Double, {n, units}, 7);
  Tensor dgates(TH_Double), dc(TH_Double);
  THNN_DoubleLSTMFused_updateGradInput(nullptr, gates, dgates, c, cy, dy, dcy, dc);
  const auto value = [&] {
    Tensor work = make(TH_Double, {n, 4 * units}, [&](int64_t i) { return get(input, i); }), r(TH_Double), s(TH_Double);
    THNN_DoubleLSTMFused_updateOutput(nullptr, work, hidden, bias1, bias2, c, r, s);
    return weighted(r, 6) + weighted(s, 7);
  };
  expectNear(dgates, differences(hidden, value), 1e-7);
  expectNear(dc, differences(c, value), 1e-7);
}

TEST(Recurrent, GruCellAgainstItsFormula) {
  const int64_t n = 2, units = 21;
  const Tensor input = random(TH_Double, {n, 3 * units}), hidden = random(TH_Double, {n, 3 * units}, 2);
  const Tensor h = random(TH_Double, {n, units}, 5);
  Numbers expected;
  for (int64_t i = 0; i < n * units; i++) {
    const auto at = [&](const Tensor &t, int64_t g) { return get(t, i / units * 3 * units + g * units + i % units); };
    const double r = sigmoid(at(input, 0) + at(hidden, 0)), z = sigmoid(at(input, 1) + at(hidden, 1));
    const double m = std::tanh(at(input, 2) + r * at(hidden, 2));
    expected.push_back((1 - z) * m + z * get(h, i));
  }
  Tensor y(TH_Double), storage(TH_Double);
  THNN_DoubleGRUFused_updateOutput(nullptr, input, hidden, nullptr, nullptr, h, y, storage);
  expectNear(y, expected, 1e-13);
  ASSERT_EQ(shapeOf(storage), (Shape{n, 5 * units}));

  const Tensor dy = random(TH_Double, {n, units}, 6);
  Tensor dinput(TH_Double), dhidden(TH_Double), dh(TH_Double);
  THNN_DoubleGRUFused_updateGradInput(nullptr, dinput, dhidden, dy, dh, storage);
  const auto value = [&] {
    Tensor r(TH_Double), s(TH_Double);
    THNN_DoubleGRUFused_updateOutput(nullptr, input, hidden, nullptr, nullptr, h, r, s);
    return weighted(r, 6);
  };
  expectNear(dinput, differences(input, value), 1e-7);
  expectNear(dhidden, differences(hidden, value), 1e-7);
  expectNear(dh, differences(h, value), 1e-7);
}

TEST(Recurrent, CellsInEveryTypeAndLayout) {
  for (THDtype dtype : kFloatingDtypes) {
    const auto forward = dtype == TH_Half       ? THNN_HalfGRUFused_updateOutput
                         : dtype == TH_BFloat16 ? THNN_BFloat16GRUFused_updateOutput
                         : dtype == TH_Float    ? THNN_FloatGRUFused_updateOutput
                                                : THNN_DoubleGRUFused_updateOutput;
    const Tensor input = random(dtype, {4, 30}), hidden = random(dtype, {4, 30}, 2), h = random(dtype, {4, 10}, 3);
    Tensor y(dtype), storage(dtype);
    forward(nullptr, input, hidden, nullptr, nullptr, h, y, storage);
    for (Layout layout : kLayouts) {
      Tensor strided = uninitialised(dtype, {4, 10}, layout), kept(dtype);
      forward(nullptr, relayout(input, layout), relayout(hidden, layout), nullptr, nullptr, relayout(h, layout),
              strided, kept);
      expectSame(strided, y);
      expectSame(kept, storage);
    }
    const Tensor small = random(dtype, {4, 9}, 3);
    EXPECT_THROW(forward(nullptr, input, hidden, nullptr, nullptr, small, y, storage), th::Exception);
    EXPECT_THROW(forward(nullptr, input, hidden, nullptr, nullptr, h, h, storage), th::Exception);
  }
}

// ---- layers -----------------------------------------------------------------------------------------------------------

struct Case {
  int64_t mode, units, state;
  Shape sizes;
  bool reverse;
};
int64_t gatesOf(const Case &c) { return c.mode == THNN_LSTM ? 4 : c.mode == THNN_GRU ? 3 : 1; }

struct Layer {
  const Case &c;
  int64_t rows = 0, batch;
  Tensor input, hx, cx, weight, projection;
  Tensor output{TH_Double}, hy{TH_Double}, cy{TH_Double}, storage{TH_Double};

  explicit Layer(const Case &of)
      : c(of), rows([&] {
          int64_t sum = 0;
          for (int64_t n : of.sizes) sum += n;
          return sum;
        }()),
        batch(of.sizes[0]), input(random(TH_Double, {rows, gatesOf(of) * of.units}, 1)),
        hx(random(TH_Double, {batch, of.state}, 2)), cx(random(TH_Double, {batch, of.units}, 3)),
        weight(random(TH_Double, {gatesOf(of) * of.units, of.state}, 4)),
        projection(random(TH_Double, {of.state, of.units}, 5)) {}
  const THTensor *cell() const { return c.mode == THNN_LSTM ? static_cast<THTensor *>(cx) : nullptr; }
  const THTensor *projected() const { return c.state != c.units ? static_cast<THTensor *>(projection) : nullptr; }
  double run() {
    const int64_t units = rows * c.units, gates = gatesOf(c) * units;
    storage = make(TH_Double, {gates + (gatesOf(c) > 1 ? units : 0)},
                   [&](int64_t i) { return i < gates ? get(input, i) : double(NAN); });
    THNN_DoubleRecurrentLayer_updateOutput(nullptr, storage, output, hy, cy, hx, cell(), weight, nullptr, projected(),
                                           int(c.sizes.size()), c.sizes.data(), c.reverse, c.mode);
    return weighted(output, 6) + weighted(hy, 7) + (cell() ? weighted(cy, 8) : 0);
  }
};

const Case kLayers[] = {
    {THNN_RNN_TANH, 5, 5, {3, 3, 3}, false}, {THNN_RNN_RELU, 5, 5, {3, 2, 1, 1}, true},
    {THNN_GRU, 4, 4, {3, 3, 2}, false},      {THNN_GRU, 4, 4, {4, 2}, true},
    {THNN_LSTM, 4, 4, {3, 2, 2}, false},     {THNN_LSTM, 4, 4, {3, 1}, true},
    {THNN_LSTM, 5, 3, {2, 2, 1}, true},      {THNN_LSTM, 5, 3, {2}, false},
};

TEST(Recurrent, LayersAgainstSingleSteps) {
  for (const Case &c : kLayers) {
    Layer layer(c);
    layer.run();
    const int64_t all = gatesOf(c) * c.units, n = int64_t(c.sizes.size());
    std::vector<Numbers> h(size_t(layer.batch)), cells(size_t(layer.batch));
    for (int64_t b = 0; b < layer.batch; b++) {
      for (int64_t k = 0; k < c.state; k++) h[size_t(b)].push_back(get(layer.hx, b * c.state + k));
      for (int64_t k = 0; k < c.units; k++) cells[size_t(b)].push_back(get(layer.cx, b * c.units + k));
    }
    for (int64_t k = 0; k < n; k++) {
      const int64_t t = c.reverse ? n - 1 - k : k;
      int64_t first = 0;
      for (int64_t s = 0; s < t; s++) first += c.sizes[size_t(s)];
      for (int64_t b = 0; b < c.sizes[size_t(t)]; b++) {
        Numbers &state = h[size_t(b)], products, next;
        for (int64_t j = 0; j < all; j++) {
          double sum = 0;
          for (int64_t i = 0; i < c.state; i++) sum += get(layer.weight, j * c.state + i) * state[size_t(i)];
          products.push_back(sum);
        }
        const auto x = [&](int64_t g, int64_t u) { return get(layer.input, (first + b) * all + g * c.units + u); };
        const auto p = [&](int64_t g, int64_t u) { return products[size_t(g * c.units + u)]; };
        for (int64_t u = 0; u < c.units; u++) {
          if (c.mode == THNN_LSTM) {
            double &cell = cells[size_t(b)][size_t(u)];
            cell = sigmoid(x(1, u) + p(1, u)) * cell + sigmoid(x(0, u) + p(0, u)) * std::tanh(x(2, u) + p(2, u));
            next.push_back(sigmoid(x(3, u) + p(3, u)) * std::tanh(cell));
          } else if (c.mode == THNN_GRU) {
            const double z = sigmoid(x(1, u) + p(1, u));
            const double m = std::tanh(x(2, u) + sigmoid(x(0, u) + p(0, u)) * p(2, u));
            next.push_back((1 - z) * m + z * state[size_t(u)]);
          } else {
            const double sum = x(0, u) + p(0, u);
            next.push_back(c.mode == THNN_RNN_TANH ? std::tanh(sum) : sum > 0 ? sum : 0);
          }
        }
        if (layer.projected()) {
          Numbers made;
          for (int64_t i = 0; i < c.state; i++) {
            double sum = 0;
            for (int64_t u = 0; u < c.units; u++) sum += get(layer.projection, i * c.units + u) * next[size_t(u)];
            made.push_back(sum);
          }
          next = made;
        }
        state = next;
        for (int64_t i = 0; i < c.state; i++)
          ASSERT_NEAR(get(layer.output, (first + b) * c.state + i), state[size_t(i)], 1e-12) << "step " << t;
      }
    }
    for (int64_t b = 0; b < layer.batch; b++) {
      for (int64_t i = 0; i < c.state; i++) ASSERT_NEAR(get(layer.hy, b * c.state + i), h[size_t(b)][size_t(i)], 1e-12);
      for (int64_t u = 0; layer.cell() && u < c.units; u++)
        ASSERT_NEAR(get(layer.cy, b * c.units + u), cells[size_t(b)][size_t(u)], 1e-12);
    }
  }
}

TEST(Recurrent, GradientsOfLayersAgainstDifferences) {
  for (const Case &c : kLayers) {
    Layer layer(c);
    layer.run();
    const Tensor dy = random(TH_Double, shapeOf(layer.output), 6), dhy = random(TH_Double, shapeOf(layer.hy), 7);
    const Tensor dcy = random(TH_Double, {layer.batch, c.units}, 8);
    Tensor dinput(TH_Double), dhidden(TH_Double), dstate(TH_Double), dhx(TH_Double), dcx(TH_Double);
    THNN_DoubleRecurrentLayer_updateGradInput(
        nullptr, layer.output, dy, dhy, layer.cell() ? static_cast<THTensor *>(dcy) : nullptr, dinput, dhidden, dstate,
        dhx, dcx, layer.storage, layer.hx, layer.cell(), layer.weight, layer.projected(), int(c.sizes.size()),
        c.sizes.data(), c.reverse, c.mode);
    const auto value = [&] { return layer.run(); };
    expectNear(dinput, differences(layer.input, value), 1e-6);
    expectNear(dhx, differences(layer.hx, value), 1e-6);
    if (layer.cell()) expectNear(dcx, differences(layer.cx, value), 1e-6);
    EXPECT_EQ(dhidden->numel, c.mode == THNN_GRU ? dinput->numel : 0);
    EXPECT_EQ(shapeOf(dstate), layer.projected() ? shapeOf(layer.output) : Shape{0});
  }
}

TEST(Recurrent, WrongSizesAreRefusedBeforeAnythingChanges) {
  Case growing = {THNN_GRU, 4, 4, {2, 3}, false}, otherBatch = {THNN_GRU, 4, 4, {3}, false};
  Layer first(growing), second(otherBatch);
  EXPECT_THROW(first.run(), th::Exception);
  second.hx = random(TH_Double, {2, 4});
  EXPECT_THROW(second.run(), th::Exception);
  EXPECT_EQ(first.output->numel + second.output->numel, 0);
}

}  // namespace
