"""How ops can be split over devices: the factors of the dimensions of their operands and results.

`rule_of` is the entry. A file per family registers what adds the factors of an op to its rule; `builder.py` is the
notation they share, `rule.py` what a rule is. What is not an op with a rule but moves values between regions and
functions has edges (`data_flow.py`).
"""

from .rule import Combination, Factor, FactorKind, ShardingRule, TensorFactors
from .rules import rule_of, rule_of_kind

__all__ = ["Combination", "Factor", "FactorKind", "ShardingRule", "TensorFactors", "rule_of", "rule_of_kind"]
