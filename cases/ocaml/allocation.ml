(* Allocations that may call the collector, strings, arrays with bounds that are checked, and a foreign call. *)
external source : int -> int = "source"

type tree = Leaf | Node of tree * int * tree

let rec insert tree n =
  match tree with
  | Leaf -> Node (Leaf, n, Leaf)
  | Node (left, m, right) ->
    if n < m then Node (insert left n, m, right) else Node (left, m, insert right n)

let rec depth = function
  | Leaf -> 0
  | Node (left, _, right) -> 1 + max (depth left) (depth right)

let filled n =
  let values = Array.make n (source n) in
  for i = 1 to n - 1 do
    values.(i) <- values.(i - 1) + source i
  done;
  values

let joined values = String.concat "," (Array.to_list (Array.map string_of_int values))
