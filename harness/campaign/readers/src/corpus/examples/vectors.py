#!/usr/bin/env python3
"""Tries a reader with the vectors: usage: vectors.py COMMAND...

The command gets a section's file, its address, the ABI and a PC. It prints the row as the vectors' `line` has it (CFA, RA, FP: `sp+8 cfa-8 same`),
`none` or `refuse`. Exit 1 if an answer is wrong.
"""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def allowed(answer, rows):
    """Answers that are right, or None if any is."""
    expect = answer["expect"]
    row = rows[answer["row"]]["line"] if "row" in answer else None
    if expect in ("row", "row-or-refuse"):
        return [row] if expect == "row" else [row, "none", "refuse"]
    return {"none": ["none"], "refuse": ["none", "refuse"]}.get(expect)


def main(command):
    right = wrong = 0
    for entry in json.loads((ROOT / "index.json").read_text())["cases"]:
        case = json.loads((ROOT / entry["case"]).read_text())
        for answer in case["answers"]:
            expected = allowed(answer, case.get("rows"))
            if expected is None:
                continue
            words = [*command, ROOT / entry["section"], case["section"]["address"], case["abi"], answer["pc"]]
            said = subprocess.run(list(map(str, words)), capture_output=True, text=True).stdout.strip()
            if said in expected:
                right += 1
            else:
                wrong += 1
                print(f"{entry['id']} at {answer['pc']}: {said!r}, expected {' or '.join(expected)}")
    print(f"{right} of {right + wrong} answers right")
    return 1 if wrong or not right else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
