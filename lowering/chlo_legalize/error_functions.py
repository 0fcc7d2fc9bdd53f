"""`erfc` and `erf_inv` as elementwise arithmetic: at most 4 ulp in f32 and f64.

All polynomials are minimax fits by Remez's algorithm, made for these formulas in 50-digit
arithmetic; the f32 coefficients of `erfc` were rounded one after the other, each time refitting the
rest (as in N. Brisebarre, J.-M. Muller and A. Tisserand, "Computing machine-efficient polynomial
approximations", 2006). The errors given are those of the polynomials before rounding.

There are no branches: where two formulas cover the range, both are evaluated and one is selected,
with arguments clamped so that neither overflows.
"""

from __future__ import annotations

import math

from ...ir.tensors import Tensor
from .formulas import exp, is_single, log, multiply_add, polynomial, select, sqrt, upper_half

_ERFC_SINGLE = (
    0.51079136,
    -0.68716085,
    0.5589428,
    -0.14574718,
    -0.1720188,
    0.10301515,
    0.097364314,
    -0.046754543,
    -0.067803845,
    -0.011655391,
)
"""Relative error 2.2e-8 for arguments from 0 to 10.1, rounding of the coefficients included."""
_ERFC_DOUBLE = (
    0.39814526198773126,
    -0.6257568032045374,
    0.7551286856039241,
    -0.6555622824522912,
    0.33379537460787895,
    0.009467381526353959,
    -0.14174883899734725,
    0.04783154691270885,
    0.061518123300682445,
    -0.03562953597127552,
    -0.03594433641465995,
    0.02137132479179821,
    0.02748004406285227,
    -0.009724511529709188,
    -0.023436863658593876,
    -0.0003479695071245969,
    0.01881201494875,
    0.008466466534269891,
    -0.011348955078886254,
    -0.011783816742742141,
    0.0021353931739368365,
    0.00731824105490961,
    0.002655519762553545,
)
"""Relative error 2.2e-17 for arguments from 0 to 27.3."""


def erfc(x: Tensor) -> Tensor:
    """`erfc(a) = exp(-a**2) * t * g(u)` for `a = |x|`, `t = 1 / (1 + k a)` and `u = k a t`.

    One exponential, one division, one polynomial in `u - 1/2`. The form goes back to M. Shepherd and
    J. Laframboise, "Chebyshev approximation of (1 + 2x) exp(x^2) erfc x" (1981); `u`, not `t`, is
    the variable because its relative error does not grow for small `a`.

    `exp(-a**2)` multiplies the rounding error of the square by up to `a**2`. Its error `low` is
    computed exactly, with the square of the upper half of the bits of `a` (T. Dekker, 1971), and
    corrects the result to first order.
    """
    # The last is an argument from which `erfc` rounds to 0.
    scale, coefficients, largest = (0.5, _ERFC_SINGLE, 10.25) if is_single(x) else (0.375, _ERFC_DOUBLE, 27.5)
    a = abs(x).minimum(largest)
    negative = -(a * a)
    upper = upper_half(a)
    low = multiply_add(a - upper, a + upper, multiply_add(upper, upper, negative))
    scaled = a * scale
    t = 1.0 / (scaled + 1.0)
    constant, *others = coefficients
    variable = multiply_add(scaled, t, -0.5)
    rest = polynomial(variable, others) * variable
    g = multiply_add(-(rest + constant), low, rest) + constant
    positive = exp(negative) * (g * t)
    return select(x < 0.0, 2.0 - positive, positive)


_ERF_INV_CENTRE_SINGLE = (
    1.2520639,
    0.25036243,
    0.00087977585,
    -0.0020922225,
    0.00017763856,
    2.3193697e-05,
    -5.3369126e-06,
    -3.6156447e-08,
    1.0234532e-07,
    -8.790204e-09,
)
"""`erf_inv(x) / x` in `w - 1.5`, relative error 5.6e-9 for `w` up to 5."""
_ERF_INV_TAIL_SINGLE = (
    2.8329768,
    1.0016748,
    0.009443566,
    -0.0076339976,
    0.0057008574,
    -0.0036128487,
    0.0014502538,
    -2.5429348e-05,
    -0.00028236303,
    9.224987e-05,
)
"""`erf_inv(x) / x` in `sqrt(w) - 3`, relative error 2.2e-8 for `w` from 5 to 18."""
_ERF_INV_CENTRE_DOUBLE = (
    1.2520638405834421,
    0.25036244534245294,
    0.0008797647126616171,
    -0.0020923279303876443,
    0.00017766931514121058,
    2.3288167939623008e-05,
    -5.372773986495681e-06,
    -6.507545145031653e-08,
    1.1770360237346665e-07,
    -7.232303806091006e-09,
    -2.0197618063939223e-09,
    3.0273028446990826e-10,
    2.2792362060355356e-11,
    -8.327652475015295e-12,
    8.433003093269783e-14,
    1.8175499576442222e-13,
    -1.533241471151441e-14,
    -3.0670304991473526e-15,
    6.595527129079626e-16,
    -4.6046433033334716e-18,
    -1.2922925905564905e-17,
    1.9337428625352435e-18,
    -1.2717489360610147e-19,
    3.3756742387862762e-21,
)
"""`erf_inv(x) / x` in `w - 1.5`, relative error 1.9e-17 for `w` up to 6.25."""
_ERF_INV_TAIL_DOUBLE = (
    3.0838856104922208,
    1.0052589676941572,
    0.0053709145535832704,
    -0.0037512085073804755,
    0.0024914420965802845,
    -0.001688275561140865,
    0.0009532893685370374,
    -0.0003550374588408082,
    2.4031234922733672e-05,
    6.828446298417797e-05,
    -4.731897539393453e-05,
    1.2476685297071576e-05,
    2.9259995446255407e-06,
    -4.016645139527954e-06,
    1.4977475475196031e-06,
    2.1188746248299652e-08,
    -2.699925212218879e-07,
    8.94729772778235e-08,
)
"""`erf_inv(x) / x` in `sqrt(w) - 3.25`, relative error 1.1e-16 for `sqrt(w)` from 2.5 to 4."""
_ERF_INV_FAR_TAIL_DOUBLE = (
    4.849906401408584,
    1.0103004648645433,
    -0.00013871931833685388,
    -0.00021503011971447746,
    7.599527704562825e-05,
    -1.968177239002481e-05,
    4.5260624259632816e-06,
    -9.930183061923965e-07,
    2.2900575077698375e-07,
    -6.759415718618813e-08,
    2.9145317797068504e-08,
    -1.5182055297129626e-08,
    7.61967550912217e-09,
    -3.550694778490128e-09,
    1.5046509618125555e-09,
    -3.9204287383516163e-10,
    -2.6214290606028852e-11,
    3.216327512665402e-11,
)
"""`erf_inv(x) / x` in `sqrt(w) - 5`, relative error 6.4e-17 for `sqrt(w)` from 4 to 6.1."""


def erf_inv(x: Tensor) -> Tensor:
    """`x * p(w)` with `w = -log(1 - x**2)` in the centre, `x * q(sqrt(w))` in the tails.

    The form is that of M. Giles, "Approximating the erfinv function" (GPU Computing Gems, 2012);
    `1 - x**2` is computed as `(1 - x) * (1 + x)`, whose relative error stays small near 1.
    """
    w = -log((1.0 - x) * (x + 1.0))
    root = sqrt(w)
    if is_single(x):
        tail = polynomial(root - 3.0, _ERF_INV_TAIL_SINGLE)
        ratio = select(w < 5.0, polynomial(w - 1.5, _ERF_INV_CENTRE_SINGLE), tail)
    else:
        far_tail = polynomial(root - 5.0, _ERF_INV_FAR_TAIL_DOUBLE)
        tail = select(root < 4.0, polynomial(root - 3.25, _ERF_INV_TAIL_DOUBLE), far_tail)
        ratio = select(w < 6.25, polynomial(w - 1.5, _ERF_INV_CENTRE_DOUBLE), tail)
    return x * select(abs(x).equals(1.0), math.inf, ratio)
