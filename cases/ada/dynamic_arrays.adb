--  Arrays whose bounds are arguments, in blocks within a loop: each is gone at the end of its block.
function Dynamic_Arrays return Integer is
   Seed : Integer := 5 with Volatile;

   type Numbers is array (Integer range <>) of Integer with Volatile_Components;

   function Sum (From, To : Integer) return Integer;
   pragma No_Inline (Sum);

   function Sum (From, To : Integer) return Integer is
      Values : Numbers (From .. To);
      Result : Integer := 0;
   begin
      for I in Values'Range loop
         Values (I) := I * 2;
      end loop;
      for I in From .. To loop
         declare
            Copy : Numbers (From .. I);
         begin
            for J in Copy'Range loop
               Copy (J) := Values (J);
            end loop;
            Result := Result + Copy (I);
         end;
      end loop;
      return Result;
   end Sum;
begin
   return Sum (1, Seed) + Sum (-2, Seed);
end Dynamic_Arrays;
