(* Closures, partial application, and floating-point values that are boxed. *)
external source : int -> int = "source"

let adder n = fun m -> n + source m

let applied f n = f (f n)

let partial n = List.map (( + ) n) [ 1; 2; source n ]

let rec mean values total count =
  match values with
  | [] -> total /. float_of_int count
  | value :: rest -> mean rest (total +. sqrt value) (count + 1)

let both n =
  let count = ref 0 in
  let add m = count := !count + m in
  List.iter add (partial n);
  applied (adder !count) n
