"""results BASE NAME STATUS STATUS [KEY=JSON...]: copies results of two trials with these statuses, and their run's facts with these keys."""
import json
import pathlib
import sys

base, name, *statuses = sys.argv[1:4] + sys.argv[4:5]
out = pathlib.Path(name)
out.mkdir(parents=True, exist_ok=True)
lines = []
for line, status in zip(pathlib.Path(base, "results.jsonl").read_text().splitlines(), statuses):
    trial = json.loads(line)
    trial["status"], trial["problems"] = status, []
    if status != "FAIL":
        trial["findings"] = []
    lines.append(json.dumps(trial, separators=(",", ":"), ensure_ascii=False) + "\n")
(out / "results.jsonl").write_text("".join(lines))
facts = json.loads(pathlib.Path(base, "run.json").read_text())
facts.pop("times", None)
facts.update({"day": "2026-11-21", "seconds": 0.1})
for pair in sys.argv[5:]:
    key, value = pair.split("=", 1)
    facts[key] = json.loads(value)
(out / "run.json").write_text(json.dumps(facts))
