! A contained procedure as an argument: a trampoline on the stack, which sets the static chain and jumps.
integer(c_int) function test() bind(c)
  use iso_c_binding
  implicit none
  integer(c_int), volatile :: seed
  integer(c_int) :: total
  seed = 3
  total = 0
  call apply(add, seed + 1)
  test = total
contains
  subroutine add(n)
    integer(c_int), intent(in) :: n
    total = total + n * seed
  end subroutine
  subroutine apply(f, n)
    interface
      subroutine f(n)
        import
        integer(c_int), intent(in) :: n
      end subroutine
    end interface
    integer(c_int), intent(in) :: n
    call f(n)
    call f(n + 1)
  end subroutine
end function
