"""Parts of `stablehlo-outline-layers`: where a block repeats itself (`stretches`), where a layer may begin,
what it reads and gives (`parts`), and what it computes again (`closed_values`).
"""
