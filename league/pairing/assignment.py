"""Who gets what, where each choice has its price: the cheapest way to give everybody something else."""

from collections.abc import Sequence


def cheapest(costs: Sequence[Sequence[int]]) -> list[int]:
    """For each row a column of its own so that the sum is smallest; no more rows than columns.

    The Hungarian method (H. W. Kuhn, "The Hungarian method for the assignment problem", 1955) by shortest paths: rows
    come in one by one, each along the cheapest chain of changes. In whole numbers, so exact at any size.
    """
    width = len(costs[0])
    row_price, column_price = [0] * len(costs), [0] * width
    owner: list[int | None] = [None] * width
    for new in range(len(costs)):
        best = [costs[new][column] - row_price[new] - column_price[column] for column in range(width)]
        came: list[int | None] = [None] * width
        done: list[int] = []
        open_columns = set(range(width))
        while True:
            column = min(open_columns, key=lambda one: (best[one], one))
            open_columns.remove(column)
            row = owner[column]
            if row is None:
                break
            done.append(column)
            for other in open_columns:
                through = best[column] + costs[row][other] - row_price[row] - column_price[other]
                if through < best[other]:
                    best[other], came[other] = through, column
        reached = best[column]
        row_price[new] += reached
        for one in done:
            gain = reached - best[one]
            column_price[one] -= gain
            held = owner[one]
            if held is not None:
                row_price[held] += gain
        end: int | None = column
        while end is not None:
            before = came[end]
            owner[end] = new if before is None else owner[before]
            end = before
    answer = [0] * len(costs)
    for column, row in enumerate(owner):
        if row is not None:
            answer[row] = column
    return answer
