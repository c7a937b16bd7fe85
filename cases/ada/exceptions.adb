--  Raise, handlers with and without a choice, reraise, and a constraint check.
procedure Exceptions (N : in out Integer) is
   Odd : exception;

   procedure Check (M : Integer) is
   begin
      if M mod 2 = 1 then
         raise Odd with "odd";
      end if;
      N := N + Positive (M);
   end Check;
begin
   begin
      Check (N);
   exception
      when Odd =>
         N := N + 1;
         Check (N);
   end;
exception
   when Constraint_Error =>
      N := 0;
   when others =>
      N := -1;
      raise;
end Exceptions;
