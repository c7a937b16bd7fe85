--  Strings by the secondary stack, and a controlled object that is finalised at each way out.
with Ada.Finalization;

procedure Controlled (N : Integer; Length : out Integer) is
   package Guards is
      type Guard is new Ada.Finalization.Controlled with record
         Value : Integer := 0;
      end record;
      overriding procedure Finalize (Object : in out Guard);
   end Guards;

   package body Guards is
      overriding procedure Finalize (Object : in out Guard) is
      begin
         Object.Value := Object.Value + 1;
      end Finalize;
   end Guards;

   function Image (M : Integer) return String is
   begin
      if M > 9 then
         return Image (M / 10) & Integer'Image (M mod 10);
      end if;
      return Integer'Image (M);
   end Image;

   Guard : Guards.Guard;
begin
   for I in 1 .. N loop
      declare
         Inner : Guards.Guard;
      begin
         if I = Guard.Value then
            Length := Image (I)'Length;
            return;
         end if;
         Inner.Value := I;
      end;
   end loop;
   Length := Image (N)'Length;
end Controlled;
