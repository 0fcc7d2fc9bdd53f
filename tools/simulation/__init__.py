"""`xla-run --simulate`: how long a program takes on a machine that is described, not there.

command.py       the option, from the file to the report
machine.py       what a machine can do: the file of `--machine`
this_machine.py  the same of the machine this process runs on
program.py       the program of one device, its grid and its memory
work.py          operations and bytes of an op
collectives.py   the time of a collective: algorithms on one link, and on two levels
groups.py        who takes part in a collective, by host
timeline.py      when each op runs: computation, communication, and what waits
trips.py         how often a loop runs
report.py        the table
"""
