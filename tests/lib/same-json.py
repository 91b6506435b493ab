# SPDX-License-Identifier: GPL-2.0
# same-json.py DOCUMENT COMMAND TEXT-COLUMNS [ARRAY TABLE.tsv]...: check that DOCUMENT is the JSON output of COMMAND, and that
# each ARRAY has the rows of TABLE.tsv, to the last digit. Columns in TEXT-COLUMNS (comma-separated) must have no numbers. In
# other columns a cell that looks like a number must be one. Prints the number of rows of each array.
import json
import re
import sys


def cell(value):
    return "-" if value is None else value


def main(path_of_document, command, text_columns, *tables):
    text_columns = text_columns.split(",")
    numbers = []

    def number(digits):
        numbers.append(digits)
        return Number(digits)

    class Number(str):
        pass

    document = json.load(open(path_of_document, encoding="utf-8"), parse_int=number, parse_float=number)
    assert document["command"] == command and document["format"] == "1", document["command"]
    assert document["complete"] is True, "complete"
    for array, path in zip(tables[::2], tables[1::2]):
        lines = open(path, encoding="utf-8").read().rstrip("\n").split("\n")
        header = lines[0].split("\t")
        rows = document[array]
        assert len(rows) == len(lines) - 1, (array, len(rows), len(lines) - 1)
        for line, row in zip(lines[1:], rows):
            assert list(row) == header, (array, list(row), header)
            assert [cell(v) for v in row.values()] == line.split("\t"), (array, row, line)
            for name, value in row.items():
                if value is None:
                    continue
                if isinstance(value, Number):
                    assert name not in text_columns, (array, name, value)
                else:
                    assert name in text_columns or not re.fullmatch(r"-?\d+(\.\d+)?", value), (array, name, value)
        print(array, len(rows))


main(*sys.argv[1:])
