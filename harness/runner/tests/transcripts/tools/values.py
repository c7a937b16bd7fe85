"""json PATH...: of each JSON line of standard input, or of its only value, the values at these paths, separated by blanks.

A path is of keys and numbers with points between them; of a list without a number, the values of
all its items; `#` is the number of items. Without a path: the whole line, with sorted keys."""
import json
import sys


def at(value, keys):
    if not keys:
        return value
    key, rest = keys[0], keys[1:]
    if key == "#":
        return len(value)
    if isinstance(value, list):
        return at(value[int(key)], rest) if key.isdigit() else [at(item, keys) for item in value]
    return at(value.get(key), rest) if isinstance(value, dict) else None


def printed(value):
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True)


text = sys.stdin.read()
try:
    values = [json.loads(text)]
except json.JSONDecodeError:
    values = [json.loads(line) for line in text.splitlines()]
for value in values:
    paths = sys.argv[1:] or [""]
    print(*(printed(at(value, path.split(".") if path else [])) for path in paths))
