from xdsl_xla.decisions.communication import Communication


def test_costs():
    costs = Communication(step_bytes=100, copy_share=0.5, flop_bytes=0.25)
    assert costs.step(20) == 120
    assert costs.copy(20) == 11
    assert costs.work(8) == 2


def test_a_longer_line_takes_more_work_for_each_element() -> None:
    costs = Communication(comparison_products=2)
    assert [costs.sorting(length) for length in (1, 2, 8)] == [2, 2, 6]
