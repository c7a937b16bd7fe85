# The instruction sets that are judged. The crate builds 32-bit Arm beside AArch64, a quarter of the emulator's build, and nothing here runs it.
set(UNICORN_ARCH "x86;aarch64;s390x" CACHE STRING "" FORCE)
# The static library alone is linked.
set(BUILD_SHARED_LIBS OFF CACHE BOOL "" FORCE)
# What is built for tests: at -O1 in place of -Os, and of what programs of tests spend next to nothing in (floating point, vectors, 32-bit Arm:
# three tenths of the build) nothing optimised. Together a tenth less to build, and no slower.
set(CMAKE_C_FLAGS_MINSIZEREL "-O1 -DNDEBUG" CACHE STRING "" FORCE)
if(CMAKE_BUILD_TYPE STREQUAL "MinSizeRel")
  set_source_files_properties(
    qemu/target/arm/sve_helper.c qemu/target/arm/translate-sve.c qemu/target/arm/translate.c qemu/target/arm/vec_helper.c
    qemu/target/arm/neon_helper.c qemu/target/arm/iwmmxt_helper.c qemu/target/arm/vfp_helper.c qemu/target/i386/fpu_helper.c
    qemu/target/s390x/vec_int_helper.c qemu/target/s390x/vec_fpu_helper.c qemu/target/s390x/vec_string_helper.c
    qemu/accel/tcg/tcg-runtime-gvec.c qemu/fpu/softfloat.c
    PROPERTIES COMPILE_OPTIONS -O0)
endif()
# No panic goes through it, each hook catches its own, so nobody unwinds its frames: half a megabyte of tables.
add_compile_options(-fno-asynchronous-unwind-tables)
