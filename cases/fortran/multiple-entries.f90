! A subroutine with two more entries, and alternate returns.
subroutine steps(n, r)
  implicit none
  integer :: n, r
  r = r + n
  return
entry doubled(n, r)
  r = r + 2 * n
  return
entry halved(n, r)
  r = r + n / 2
end subroutine

subroutine chosen(n, *, *)
  implicit none
  integer :: n
  if (n > 3) return 1
  if (n < 0) return 2
end subroutine

integer(c_int) function test() bind(c)
  use iso_c_binding
  implicit none
  integer, volatile :: seed
  integer :: r
  external :: steps, doubled, halved, chosen
  seed = 4
  r = 1
  call steps(seed, r)
  call doubled(seed, r)
  call halved(seed, r)
  call chosen(r, *10, *20)
  r = 0
10 r = r + 1
20 test = r
end function
