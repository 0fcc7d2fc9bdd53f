from xdsl_xla.decisions.communication import Communication


def test_costs():
    costs = Communication(step_bytes=100, copy_share=0.5, flop_bytes=0.25)
    assert costs.step(20) == 120
    assert costs.copy(20) == 11
    assert costs.work(8) == 2
