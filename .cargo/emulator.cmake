# The instruction sets that are judged. The crate builds 32-bit Arm beside AArch64, a quarter of the
# emulator's build, and nothing here runs it.
set(UNICORN_ARCH "x86;aarch64;s390x" CACHE STRING "" FORCE)
# The static library alone is linked.
set(BUILD_SHARED_LIBS OFF CACHE BOOL "" FORCE)
