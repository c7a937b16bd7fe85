"""@TITLE@

python3 repro.py, with pyelftools; prints the row of repro.elf for @PC@.
Expected: @WANT@"""
from elftools.elf.elffile import ELFFile

PC = @PC@
found = "none"
with open("repro.elf", "rb") as file:
    for entry in ELFFile(file).get_dwarf_info().EH_CFI_entries():
        if "initial_location" not in getattr(entry, "header", {}):
            continue
        start = entry["initial_location"]
        print(f"FDE {start:#x}, size {entry['address_range']:#x}")
        for row in entry.get_decoded().table if start <= PC < start + entry["address_range"] else []:
            if row["pc"] <= PC:
                cfa = f"CFA r{row['cfa'].reg}{row['cfa'].offset:+d}" if row["cfa"] else "no CFA"
                found = f"{cfa}, {({key: repr(rule) for key, rule in row.items() if isinstance(key, int)})}"
print(f"{PC:#x}: {found}")
