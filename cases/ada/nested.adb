--  Subprograms in subprograms, which reach variables of two frames above.
function Nested return Integer is
   Seed  : Integer := 3 with Volatile;
   Total : Integer := 0;

   procedure Outer (N : Integer) is
      Local : Integer := N with Volatile;

      function Inner (M : Integer) return Integer is
      begin
         Total := Total + Local;
         if M = 0 then
            return Local;
         end if;
         return Inner (M - 1) + Seed;
      end Inner;
   begin
      Total := Total + Inner (N);
   end Outer;
begin
   Outer (Seed);
   Outer (Seed + 1);
   return Total;
end Nested;
