--  A nested subprogram by its address: a descriptor or a trampoline, and a static chain.
function Access_To_Subprogram return Integer is
   Seed  : Integer := 3 with Volatile;
   Total : Integer := 1;

   procedure Each (Action : not null access procedure (N : Integer));
   pragma No_Inline (Each);

   procedure Each (Action : not null access procedure (N : Integer)) is
   begin
      for I in 1 .. 3 loop
         Action (I);
      end loop;
   end Each;

   procedure Add (N : Integer) is
   begin
      Total := Total + N * Seed;
   end Add;
begin
   Each (Add'Access);
   return Total;
end Access_To_Subprogram;
