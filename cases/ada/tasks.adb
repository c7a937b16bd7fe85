--  A task with an entry, a selective accept with a delay, and a protected object.
procedure Tasks (Result : out Integer) is
   protected Count is
      procedure Add (N : Integer);
      entry Wait (N : out Integer);
   private
      Value : Integer := 0;
   end Count;

   protected body Count is
      procedure Add (N : Integer) is
      begin
         Value := Value + N;
      end Add;
      entry Wait (N : out Integer) when Value > 2 is
      begin
         N := Value;
      end Wait;
   end Count;

   task Worker is
      entry Start (N : Integer);
   end Worker;

   task body Worker is
      Last : Integer := 0;
   begin
      loop
         select
            accept Start (N : Integer) do
               Last := N;
            end Start;
            Count.Add (Last);
         or
            delay 0.1;
            exit;
         end select;
      end loop;
   end Worker;
begin
   Worker.Start (2);
   Worker.Start (3);
   Count.Wait (Result);
end Tasks;
