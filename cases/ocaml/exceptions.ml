(* Handlers on the stack: raised, caught, reraised, and left by a tail call. *)
exception Odd of int

external source : int -> int = "source"

let checked n = if n land 1 = 1 then raise (Odd n) else source n

let caught n =
  try checked n + 1 with
  | Odd m -> m * 2
  | Not_found -> 0

let nested n =
  try
    let first = caught n in
    try checked (first + n) with Not_found -> first
  with
  | Odd m when m > 3 -> checked (m + 1)
  | other -> ignore (source n); raise other

let rec looped n sum =
  if n = 0 then sum
  else
    let next = try checked n with Odd m -> m in
    looped (n - 1) (sum + next)
