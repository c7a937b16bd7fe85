! Sections of arrays as arguments: descriptors on the stack, and loops that a compiler makes.
module sections
  use iso_c_binding
  implicit none
contains
  integer(c_int) function added(a) result(r)
    integer(c_int), intent(in) :: a(:)
    integer :: i
    r = 0
    do i = 1, size(a)
      r = r + a(i)
    end do
  end function
  subroutine scaled(a, n)
    integer(c_int), intent(inout) :: a(:, :)
    integer(c_int), intent(in) :: n
    integer :: i, j
    do j = 1, size(a, 2)
      do i = 1, size(a, 1)
        a(i, j) = a(i, j) * n + i
      end do
    end do
  end subroutine
end module

integer(c_int) function test() bind(c)
  use sections
  implicit none
  integer(c_int) :: grid(4, 4)
  integer(c_int), volatile :: seed
  integer :: i, j
  seed = 2
  do j = 1, 4
    do i = 1, 4
      grid(i, j) = i + j
    end do
  end do
  call scaled(grid(1:4:2, :), seed)
  test = added(grid(2, :)) + added(grid(:, 3))
end function
