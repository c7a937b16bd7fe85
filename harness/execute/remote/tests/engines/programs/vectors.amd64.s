# Instructions on 256-bit vectors, and if `avx512` is a symbol on 512-bit vectors, which
# qemu-user lacks.
    .globl _start
_start:
    mov $7,%eax
    vmovd %eax,%xmm0
    vpbroadcastd %xmm0,%ymm1
    vpaddd %ymm1,%ymm1,%ymm2
    vextracti128 $1,%ymm2,%xmm3
    vmovq %xmm3,%rbx
    push %rbx
    pop %rcx
    .ifdef avx512
    vpbroadcastd %xmm0,%zmm4
    vpmulld %zmm4,%zmm4,%zmm5
    vextracti64x4 $1,%zmm5,%ymm6
    vmovq %xmm6,%rdx
    push %rdx
    pop %rsi
    .endif
    mov $60,%eax
    xor %edi,%edi
    syscall
