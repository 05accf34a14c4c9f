"""Where a signal is heard, in signals whose moments are known."""

import numpy as np

from sonolake.audio.activity import active, falls_at, loudest, quietest, rises_at


def test_finders():
    x = np.zeros(1000)
    x[200:300] = 0.5
    x[250] = 1.0
    x[600] = 0.009
    assert (rises_at(x, 40), falls_at(x, 40)) == (200, 300)
    assert falls_at(x, 50) == 601
    assert loudest(x, 100) == 200
    assert loudest(np.ones(10), 30) == -10
    beeps = np.tile(np.r_[np.ones(50), np.zeros(150)], 4)
    assert loudest(beeps, 50) == 0
    assert 398 <= loudest(beeps, 50, near=430) <= 402
    assert active(x, 1000, 35) == (200, 300)
    assert 300 <= quietest(x, 250, 400, 20) <= 400
