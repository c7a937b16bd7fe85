"""@TITLE@

python3 repro.py, with pyelftools; prints the FDEs of repro.elf and their rows.
At @PC@, expected: @WANT@"""
from elftools.elf.elffile import ELFFile

with open("repro.elf", "rb") as file:
    for entry in ELFFile(file).get_dwarf_info().EH_CFI_entries():
        if "initial_location" in getattr(entry, "header", {}):
            start = entry["initial_location"]
            print(f"FDE {start:#x}, size {entry['address_range']:#x}")
            for row in entry.get_decoded().table:
                print(" ", f"{row['pc']:#x}", f"CFA r{row['cfa'].reg}{row['cfa'].offset:+d}" if row["cfa"] else "no CFA",
                      {key: repr(rule) for key, rule in row.items() if isinstance(key, int)})
