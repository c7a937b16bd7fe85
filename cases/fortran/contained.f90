! Contained procedures that reach variables of their host by a static chain.
integer(c_int) function test() bind(c)
  use iso_c_binding
  implicit none
  integer(c_int), volatile :: seed
  integer(c_int) :: total
  seed = 3
  total = 0
  call add(seed)
  test = total + twice(seed)
contains
  subroutine add(n)
    integer(c_int), intent(in) :: n
    total = total + n * seed
  end subroutine
  integer(c_int) function twice(n)
    integer(c_int), intent(in) :: n
    twice = n * 2 + total
  end function
end function
