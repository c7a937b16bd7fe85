! Formatted output into a string, and a branch by its result: a large parameter block on the stack.
subroutine written(n, text)
  implicit none
  integer, intent(in) :: n
  character(len=40), intent(out) :: text
  integer :: code
  write (text, '(i8, a, f6.2)', iostat=code) n, ' of ', real(n) / 3
  if (code /= 0) then
    write (*, *) 'not written', n
    stop 3
  end if
end subroutine
