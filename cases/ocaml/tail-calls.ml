(* Tail calls, also with more arguments than registers, and functions that are not tail recursive. *)
external source : int -> int = "source"

let rec even n = if n = 0 then true else odd (n - 1)
and odd n = if n = 0 then false else even (n - 1)

let rec sum = function [] -> 0 | first :: rest -> first + sum rest

let many a b c d e f g h i j k l m n =
  let x = source (a + n) in
  x + (b * c) + (d * e) + (f * g) + (h * i) + (j * k) + (l * m)

let passed f a = f a 1 2 3 4 5 6 7 8 9 10 11 12 13 + 1

let turned f a b c d e g h i j k l m n o = f o n m l k j i h g e d c b a
