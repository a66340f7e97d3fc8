#!/usr/bin/env python3
# Where the processor time of a measuring run goes: reads `perf script -F comm,ip,sym`, prints a JSON object of shares.
# cost_shares.py PROGRAM < SCRIPT
import json, sys

program = sys.argv[1][:15]  # as the kernel shortens it
# The first that a sample's stack has: what forking costs comes up in places that are also parts of the test.
parts = [
    ("remapping", ["share_pages", "mremap"]),
    ("forking", ["_Fork", "__libc_fork", "kernel_clone"]),
    ("ending_processes", ["do_exit", "do_group_exit", "exit_mmap"]),
    ("copies_of_written_pages", ["do_wp_page", "do_cow_fault", "wp_page_copy"]),
    ("test", ["TestBody", "HandleExceptionsInMethodIfSupported", "TestInfo::Run"]),
    ("scanning", ["copy_pages", "write_counts", "memcmp", "collect_shared_counts"]),
    ("page_faults", ["exc_page_fault"]),
    ("framework", ["testing::"]),
    ("starting_program", ["_dl_start_user", "dl_main", "execve"]),
]
counts = {}
comm, stack = None, []


def finish():
    if comm is None:
        return
    part = "reading_and_storing" if comm == "morph" else "building" if comm != program else "other"
    if comm == program:
        for name, marks in parts:
            if any(mark in symbol for symbol in stack for mark in marks):
                part = name
                break
    counts[part] = counts.get(part, 0) + 1


for line in sys.stdin:
    if not line.strip():
        continue
    if line[0] == "\t":
        stack.append(line.strip())
    else:
        finish()
        comm, stack = line.strip(), []
finish()
total = sum(counts.values()) or 1
print(json.dumps({name: round(count / total, 3) for name, count in sorted(counts.items(), key=lambda x: -x[1])}))
