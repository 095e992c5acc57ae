"""Special functions in float64 against digits from mpmath, in places where PyTorch's own answers have fewer, and at
the seams of our series; and what they are in terms of each other."""

import math

import pytest
import torch
from hypothesis import given, strategies as st

DIGITS = {
    "digamma": {
        1.4616321449683622: -9.241265521729427e-17,
        1.5: 0.03648997397857652,
        1.46: -0.0015805619870834522,
        0.001: -1000.5755719318103,
        -0.5: 0.03648997397857652,
        -10.25: 5.516858419886273,
        -7.0009765625: 1026.0125587222672,
        123456.75: 11.723642121279044,
        2.0: 0.42278433509846713,
    },
    "polygamma1": {
        1.0: 1.6449340668482264,
        0.25: 17.19732915450711,
        -0.5: 8.934802200544679,
        7.5: 0.1426158966967038,
        1000000.0: 1.0000005000001667e-06,
    },
    "polygamma4": {
        1.0: -24.88626612344088,
        0.25: -24584.375388637935,
        -0.5: -3.4742498266672253,
        7.5: -0.002457482989368555,
        1000000.0: -6.00001200001e-24,
    },
    "polygamma40": {
        1.0: -8.159152832482688e47,
        0.25: -3.945524210146268e72,
        -0.5: -4.919301571242758e40,
        7.5: -1088223349770.9392,
    },
    "zeta3": {
        1.0: 1.2020569031595942,
        0.25: 64.66386996876847,
        -3.5: 0.030778410660513848,
        0.001: 1000000001.1988161,
        1000000000.0: 5.000000005e-19,
    },
    "ndtr": {
        -35.0: 1.1249107064724062e-268,
        -10.1: 2.762109471764517e-24,
        -1.5: 0.06680720126885807,
        0.25: 0.5987063256829237,
        3.0: 0.9986501019683699,
    },
    "log_ndtr": {
        -200.0: -20006.21728089819,
        -10.1: -54.24604754269363,
        -1.5: -2.7059444008238898,
        0.25: -0.5129840754094305,
        8.0: -6.220960574271786e-16,
    },
    "ndtri": {
        1e-300: -37.0470962993612,
        1e-10: -6.361340902404057,
        0.01: -2.326347874040841,
        0.2: -0.8416212335729142,
    },
    "erfinv": {
        1e-300: 8.86226925452758e-301,
        1e-09: 8.86226925452758e-10,
        0.25: 0.2253120550121781,
        -0.75: -0.8134198475976185,
        0.99999999: 4.052237243268763,
        0.9999999999999999: 5.8635847487551676,
    },
    "erfcx": {
        -20.0: 1.0442939379528289e174,
        -1.0: 5.008980080762283,
        0.5: 0.6156903441929259,
        9.99: 0.05619664070685882,
        10.01: 0.056085454355001924,
        25.0: 0.02254957243264136,
    },
    "i0": {
        1e-05: 1.000000000025,
        1.0: 1.2660658777520084,
        19.99: 43135797.87064526,
        20.01: 43984910.8348573,
        700.0: 1.5295933476718737e302,
    },
    "i0e": {
        1.0: 0.46575960759364043,
        19.99: 0.08980306142890937,
        20.01: 0.0897575796275753,
        5000.0: 0.005642036898744589,
    },
    "i1": {
        -3.0: -3.9533702174026093,
        1e-05: 5.0000000000625004e-06,
        19.99: 42042635.9277871,
        20.01: 42871359.80820023,
        700.0: 1.5285003902339006e302,
    },
    "gammaln": {
        1e-300: 690.7755278982137,
        0.5: 0.5723649429247001,
        1.0001: -5.771334222047127e-05,
        2.5: 0.2846828704729192,
        100000.0: 1051287.7089736569,
    },
    "bessel_j0": {-2.25: 0.08274985128873404, 1e-09: 1.0, 6.0: 0.15064525725099692, 100.5: 0.054436573814413594},
    "bessel_j1": {-2.25: -0.5483783566469601, 1e-09: 5e-10, 6.0: -0.27668385812756563, 100.5: -0.05779112399693202},
    "bessel_y0": {
        1e-09: -13.266645074938387,
        2.25: 0.5200647624572783,
        6.0: -0.28819468398157916,
        100.5: -0.05806122757035575,
    },
    "bessel_y1": {
        1e-09: -636619772.3675814,
        2.25: 0.02719205773801714,
        6.0: -0.17501034430039825,
        100.5: -0.05472610209468349,
    },
    "modified_bessel_k0": {
        1e-09: 20.839197352604824,
        1.5: 0.21380556264752573,
        49.5: 5.650600887459296e-23,
        50.5: 2.0581563219943107e-23,
        600.0: 1.3558285309948523e-262,
    },
    "modified_bessel_k1": {
        1e-09: 999999999.9999999,
        1.5: 0.2773878004568438,
        49.5: 5.707395044638712e-23,
        50.5: 2.0784351654766325e-23,
        600.0: 1.356957918112806e-262,
    },
    "scaled_modified_bessel_k0": {
        1e-09: 20.83919737344402,
        1.5: 0.9582100532948965,
        49.5: 0.17769347785880396,
        50.5: 0.17593396624658827,
        1000000000.0: 3.963327297110595e-05,
    },
    "scaled_modified_bessel_k1": {
        1e-09: 1000000000.9999999,
        1.5: 1.243165873552553,
        49.5: 0.17947947398775857,
        50.5: 0.17766742901936813,
        1000000000.0: 3.963327299092259e-05,
    },
    "airy_ai": {
        -4.5: 0.2921527810559595,
        -2.25: 0.06159865877700528,
        -1e-09: 0.35502805414663663,
        1e-09: 0.3550280536289978,
        2.5: 0.01572592338047049,
        40.0: 6.365742658552915e-75,
    },
}


def function(name):
    """polygamma4 is polygamma(4, x), zeta3 is zeta(3, x)."""
    plain = name.rstrip("0123456789")
    if plain in ("polygamma", "zeta"):
        return lambda x: getattr(torch.special, plain)(int(name[len(plain) :]), x)
    return getattr(torch.special, name)


@pytest.mark.parametrize("name", DIGITS)
def test_digits(name):
    x = torch.tensor(list(DIGITS[name]), dtype=torch.float64)
    for at, got, want in zip(x.tolist(), function(name)(x).tolist(), DIGITS[name].values()):
        # Results near a zero are what is left of larger terms.
        assert abs(got - want) <= 10 * max(
            math.ulp(want), math.ulp(1.0) * (name in ("digamma", "polygamma4", "airy_ai"))
        ), at


POSITIVE = st.floats(0.01, 1e4)


INCOMPLETE_GAMMA = [  # a, x, the lower one
    (0.5, 1e-06, 0.0011283787909692363),
    (13.5, 9.0, 0.09648028722454031),
    (19.5, 25.0, 0.8884837316370688),
    (20.5, 25.0, 0.8417562300986566),
    (300.0, 290.0, 0.2861755102943037),
    (5000.0, 5100.0, 0.9206711189223811),
    (100000.0, 99800.0, 0.2637511429239791),
    (2000000.0, 2001000.0, 0.7602865609469363),
    (1000000000.0, 999980000.0, 0.26354669419276144),
    (1000000000.0, 1000000000.0, 0.5000042052208701),
]


@pytest.mark.parametrize(("a", "x", "expected"), INCOMPLETE_GAMMA)
def test_incomplete_gamma_digits(a, x, expected):
    a, x = torch.tensor(a, dtype=torch.float64), torch.tensor(x, dtype=torch.float64)
    lower, upper = torch.special.gammainc(a, x).item(), torch.special.gammaincc(a, x).item()
    assert abs(lower - expected) <= (1e-14 if a < 1e6 else 1e-11) * max(expected, 1e-3)
    assert abs(lower + upper - 1) < 1e-15


def close(a, b, scale=1.0):
    return abs(a.item() - b.item()) <= 1e-13 * max(abs(a.item()), abs(b.item()), scale)


@given(POSITIVE)
def test_recurrences(x):
    t = torch.tensor(x, dtype=torch.float64)
    assert close(torch.lgamma(t + 1), torch.lgamma(t) + t.log(), 10 + abs(math.lgamma(x)))
    assert close(torch.digamma(t + 1), torch.digamma(t) + 1 / t, 10)
    assert close(torch.polygamma(2, t + 1), torch.polygamma(2, t) + 2 / t**3, 1 / x**3)
    assert close(torch.special.zeta(2, t + 1), torch.special.zeta(2, t) - 1 / t**2, 1 / x**2)


@given(st.floats(-5, 5))
def test_inverses(x):
    t = torch.tensor(x, dtype=torch.float64)
    assert abs(torch.erfinv(torch.erf(t)) - t) <= 1e-14 * math.exp(x * x) + 1e-300
    assert abs(torch.special.ndtri(torch.special.ndtr(t)) - t) <= 1e-14 * math.exp(x * x / 2) + 1e-300
    assert close(torch.logit(torch.sigmoid(t)), t)
    assert close(torch.sinh(torch.asinh(t)), t)
    mantissa, exponent = torch.frexp(t)
    assert torch.ldexp(mantissa, exponent) == t


@given(st.integers(-(2**31) + 1, 2**31 - 1), st.integers(-(2**31) + 1, 2**31 - 1))
def test_divisors(a, b):
    x, y = torch.tensor([a, b])
    assert torch.gcd(x, y) == math.gcd(a, b)
    assert torch.lcm(x, y) == math.lcm(a, b)


@pytest.mark.parametrize("name", ["addcmul", "addcdiv", "lerp"])
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_every_length(name, dtype):
    """Vector loops and their ends, contiguous, with one number and strided, give the same bits."""
    generator = torch.Generator().manual_seed(5)
    a, b, c = torch.rand(3, 70, generator=generator, dtype=torch.float64).to(dtype).unbind()
    whole = getattr(torch, name)(a, b, c)
    for n in range(70):
        assert torch.equal(getattr(torch, name)(a[:n], b[:n], c[:n]), whole[:n])
        assert torch.equal(getattr(torch, name)(a[n:], b[n:], c[n:]), whole[n:])
    one = getattr(torch, name)(a, b, c[3])
    assert torch.equal(one, getattr(torch, name)(a, b, c[3].expand(70).contiguous()))
    assert torch.equal(getattr(torch, name)(a[::2], b[::2], c[::2]), whole[::2])
