! A recursive function, and one with an array whose size is an argument.
module numbers
  use iso_c_binding
  implicit none
contains
  recursive integer(c_int) function fib(n) result(r)
    integer(c_int), value :: n
    if (n < 2) then
      r = n
    else
      r = fib(n - 1) + fib(n - 2)
    end if
  end function
  integer(c_int) function summed(n) result(r)
    integer(c_int), intent(in) :: n
    integer(c_int) :: work(n), i
    do i = 1, n
      work(i) = fib(mod(i, 5))
    end do
    r = 0
    do i = 1, n
      r = r + work(i)
    end do
  end function
end module

integer(c_int) function test() bind(c)
  use numbers
  implicit none
  integer(c_int), volatile :: seed
  seed = 6
  test = fib(seed) + summed(seed)
end function
