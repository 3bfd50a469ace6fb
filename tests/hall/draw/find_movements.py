"""Finds the club night's movements where the rainbow fails, and writes them down as data.

    pip install ortools
    python -m tests.hall.draw.find_movements > companion/hall/draw/movements.py

Only this script knows the solver. Whoever sits on seat `s` of table `t` in the first round sits at
table `t + shift[s]` in a later one, counted around the hall. Two people of one seat then never
meet, and two of different seats meet at most once if their shifts differ by another number of
tables in every round.
"""

from __future__ import annotations

from itertools import combinations

from ortools.sat.python import cp_model

from companion.hall.draw.seating import rainbow_rounds

SEATS = 4
MOST_TABLES = 100
MOST_ROUNDS = 8
PATIENCE = 120.0
"""Seconds for one movement; what takes longer is left to the search at the desk."""
HEAD = '''"""Movements of a club night, found by a solver (`tests/hall/draw/find_movements.py`).

By the number of tables: for each round, how many tables further each of the four seats has gone.
"""

from __future__ import annotations

Shifts = tuple[int, int, int, int]

MOVEMENTS: dict[int, tuple[Shifts, ...]] = {'''


def movement(tables: int, rounds: int) -> list[list[int]] | None:
    """Find the shifts of all seats in every round; none where there are none, or none in time."""
    model = cp_model.CpModel()
    shift = [
        [model.new_int_var(0, 0 if at == 0 or seat == 0 else tables - 1, "") for seat in range(4)]
        for at in range(rounds)
    ]
    for one, other in combinations(range(SEATS), 2):
        gaps = []
        for line in shift:
            gap, around = model.new_int_var(0, tables - 1, ""), model.new_bool_var("")
            model.add(line[other] - line[one] + tables * around == gap)
            gaps.append(gap)
        model.add_all_different(gaps)
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = PATIENCE
    solver.parameters.random_seed = 1
    solver.parameters.num_workers = 1
    if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    return [[solver.value(one) for one in line] for line in shift]


def main() -> None:
    """Write the data module."""
    print(HEAD)
    for tables in range(5, MOST_TABLES + 1):
        if rainbow_rounds(tables) >= min(MOST_ROUNDS, tables):
            continue
        for rounds in range(min(MOST_ROUNDS, tables), rainbow_rounds(tables), -1):
            found = movement(tables, rounds)
            if found is not None:
                lines = "".join(f"\n        ({', '.join(map(str, line))})," for line in found)
                print(f"    {tables}: ({lines}\n    ),")
                break
    print("}")


if __name__ == "__main__":
    main()
