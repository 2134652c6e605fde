"""Reads blocks of the journal, by src/blocks/FORMAT.md alone. Arguments: files of `data`, each with its `erasable`
beside it where there is one. Prints one line of JSON for each: its records with their buckets, drops and reports."""
import json
import sys
import zlib
from datetime import datetime, timedelta
from decimal import Decimal
from hashlib import sha256
from pathlib import Path

BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
BUDGET = ["agent_id", "name", "window", "limit", "count", "spent", "held", "remaining", "resets_at", "unit"]
CONTEXT = ["environment", "dry_run", "currency", "key_id"]
OUTCOMES = ["succeeded", "failed", "not_attempted", "unknown"]

class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def byte(self):
        return self.bytes(1)[0]

    def bytes(self, count):
        self.at += count
        if self.at > len(self.data):
            raise ValueError("the bytes end too early")
        return self.data[self.at - count : self.at]

    def varint(self):
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def signed(self):
        value = self.varint()
        return -(value + 1) // 2 if value % 2 else value // 2

    def text(self):
        return self.bytes(self.varint()).decode("utf-8")

    def texts(self):
        return [self.text() for _ in range(self.varint())]

    def index(self, rows, n):
        width = 0 if n <= 1 else 1 if n <= 256 else 2 if n <= 65536 else 4
        numbers = [int.from_bytes(self.bytes(width), "little") for _ in range(rows)]
        if any(number >= n for number in numbers):
            raise ValueError("an index is too large")
        return numbers

    def names(self, rows):
        texts = self.texts()
        return [texts[number] for number in self.index(rows, len(texts))]

    def runs(self, rows):
        numbers, number = [], 0
        while len(numbers) < rows:
            step, length = self.signed(), self.varint()
            if not 1 <= length <= rows - len(numbers):
                raise ValueError("a run has no such length")
            numbers += [number + step * (place + 1) for place in range(length)]
            number = numbers[-1]
        return numbers

def split(data):
    if zlib.crc32(data[:-4]) != int.from_bytes(data[-4:], "little"):
        raise ValueError("the checksum is another")
    reader = Reader(data[:-4])
    if reader.byte() != 1:
        raise ValueError("the version is another")
    directory = [(reader.varint(), reader.varint()) for _ in range(reader.varint())]
    return {number: Reader(reader.bytes(length)) for number, length in directory}

def instant(ms):
    return (datetime(1970, 1, 1) + timedelta(milliseconds=ms)).isoformat(timespec="milliseconds") + "Z"

def spelled(prefix, count):
    digits = ""
    while count or len(digits) < 8:
        count, digit = divmod(count, 62)
        digits = BASE62[digit] + digits
    return prefix + digits

def decimal(amount):
    """The shortest decimal text of a number."""
    return amount if isinstance(amount, str) else f"{Decimal(repr(amount)):f}".removesuffix(".0")

def amount_of(reader):
    number = reader.varint()
    if number == 0:
        return None
    if number > 1:
        return (number - 2) / 100
    text = reader.text()
    return float(text) if decimal(float(text)) == text else text

def usage_of(text):
    exact = lambda used: float(used) if decimal(float(used)) == used else used
    return text and {unit: exact(used) for unit, used in (part.split("=") for part in text.split(" "))}

def fact_of(reader, texts, amount):
    number = reader.varint()
    if number < 4:
        return [decimal(amount or ""), None, True, False][number]
    text = texts[(number - 4) // 2]
    return json.loads(text) if number % 2 else text

def rows_of(columns, erasable):
    rows, base, prefix = columns[1].varint(), columns[1].varint(), columns[1].text()

    def optional(number, read):
        return read(columns[number]) if number in columns else [None] * rows

    named = lambda reader: [text or None for text in reader.names(rows)]
    flagged = lambda reader: [reader.text() if reader.byte() else None for _ in range(rows)]
    numbered = lambda reader, texts: [([None] + texts)[number] for number in reader.index(rows, len(texts) + 1)]

    def subjects(reader):
        count = reader.varint()
        try:
            beside = split(erasable)
            texts = beside[19].texts()
            for text in texts if 23 in columns else []:
                salt, digest = beside[23].bytes(16), columns[23].bytes(32)
                if text and sha256(salt + text.encode()).digest() != digest:
                    raise ValueError("the digest is of another subject")
            return numbered(reader, texts)
        except (TypeError, KeyError, ValueError):
            return [None] * rows

    def traces(reader, before=None):
        for kind in (reader.byte() for _ in range(rows)):
            before = reader.bytes(16).hex() if kind == 1 else before if kind == 2 else None
            yield before

    def versions(reader):
        same = reader.varint() if reader.byte() == 0 else None
        return [(reader.varint() if same is None else same) - 1 for _ in range(rows)]

    targets, facts = columns[7].texts(), columns[10].texts()
    read = {
        "decision_id": [spelled(prefix, count) for count in columns[3].runs(rows)],
        "agent_id": columns[5].names(rows),
        "action": columns[6].names(rows),
        "target": [targets[number] if number else None for number in columns[7].index(rows, len(targets))],
        "amount": [amount_of(columns[12]) for _ in range(rows)],
        "passport_version": [None if version < 0 else version for version in versions(columns[11])],
        "ancestor_versions": [json.loads(text or "null") for text in optional(18, named)],
        "request_id": optional(13, flagged),
        "trace_id": list(optional(17, traces)),
        "proof_kid": optional(15, named),
        "subject": optional(19, subjects),
        "approval_id": optional(20, lambda reader: numbered(reader, reader.texts())),
        "hold_seconds": optional(21, lambda reader: [reader.varint() or None for _ in range(rows)]),
        "verifier": optional(25, named),
        "permit_audience": optional(24, named),
        "usage": [usage_of(text) for text in optional(26, flagged)],
        "budgets": [[dict(zip(BUDGET, entry)) for entry in json.loads(text or "[]")] for text in optional(16, flagged)],
        "evaluated_at": [instant(base + ms) for ms in columns[2].runs(rows)],
    }
    contexts, templates, buckets = columns[8].names(rows), columns[9].names(rows), columns[4].bytes(rows)
    for row in range(rows):
        record = {name: values[row] for name, values in read.items()}
        record |= dict(zip(CONTEXT, json.loads(contexts[row])))
        record["reasons"] = [
            {"code": code, "message": message}
            | {name: fact_of(columns[10], facts, record["amount"]) for name in names}
            for code, message, *names in json.loads(templates[row])
        ]
        record["verdict"] = "DENY" if record["reasons"] else "ALLOW"
        if record["subject"] == "":
            record |= {"subject": None, "subject_erased": True}
        if record["usage"] is None:
            del record["usage"]
        for budget in record["budgets"]:
            budget["agent_id"] = budget["agent_id"] or record["agent_id"]
        yield {"record": record, "bucket": buckets[row]}

def drops_of(reader):
    for _ in range(reader.varint()):
        yield {"at_ms": reader.varint(), "environment": ["live", "test"][reader.byte()], "count": reader.varint()}

def outcomes_of(reader):
    rows, base = reader.varint(), reader.varint()
    times, counts = reader.runs(rows), reader.runs(rows)
    prefixes, agents, contexts, codes = (reader.names(rows) for _ in range(4))
    outcomes = [OUTCOMES[place] for place in reader.bytes(rows)]
    for row, ms in enumerate(times):
        environment, _, _, key_id = json.loads(contexts[row])
        report = {"decision_id": spelled(prefixes[row], counts[row]), "environment": environment, "key_id": key_id}
        report |= {"agent_id": agents[row], "outcome": outcomes[row], "code": codes[row] or None}
        yield report | {"evaluated_ms": base + ms, "reported_ms": base + ms + reader.signed()}

for file in sys.argv[1:]:
    beside = Path(file).with_suffix(".erasable")
    columns = split(Path(file).read_bytes())
    block = {"records": list(rows_of(columns, beside.read_bytes() if beside.exists() else None))}
    block["drops"] = list(drops_of(columns[14])) if 14 in columns else []
    block["outcomes"] = list(outcomes_of(columns[22])) if 22 in columns else []
    print(json.dumps(block))
