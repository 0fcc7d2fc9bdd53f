"""`xla-run --profile`: where a program spends its time, by kernel and by line, beside what the machine could do."""
