"""within MIB COMMAND...: executes a command; its exit code, or 99 if it or a child of it needed more memory."""
import resource
import subprocess
import sys

ended = subprocess.run(sys.argv[2:]).returncode
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10
if peak > int(sys.argv[1]):
    print(f"{peak} MiB of memory")
    ended = 99
sys.exit(ended)
