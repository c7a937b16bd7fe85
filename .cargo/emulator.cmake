# The instruction sets that are judged. The crate builds 32-bit Arm beside AArch64, a quarter of the emulator's build, and nothing here runs it.
set(UNICORN_ARCH "x86;aarch64;s390x" CACHE STRING "" FORCE)
# Three tenths of the build are vectors of variable length, 32-bit Arm and floating point, in which the programs of tests spend next to nothing:
# what is built for tests does without optimising those.
if(CMAKE_BUILD_TYPE STREQUAL "MinSizeRel")
  set_source_files_properties(
    qemu/target/arm/sve_helper.c qemu/target/arm/translate-sve.c qemu/target/arm/translate.c qemu/fpu/softfloat.c
    PROPERTIES COMPILE_OPTIONS -O0)
endif()
