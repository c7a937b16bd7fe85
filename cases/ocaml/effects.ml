(* An effect that is performed, handled and resumed: each handler has a stack of its own. *)
open Effect
open Effect.Deep

type _ Effect.t += Ask : int -> int Effect.t

let asking n = perform (Ask n) + perform (Ask (n + 1))

let answered n =
  match_with asking n
    { retc = (fun value -> value * 2);
      exnc = raise;
      effc =
        (fun (type a) (eff : a Effect.t) ->
          match eff with
          | Ask m -> Some (fun (k : (a, _) continuation) -> continue k (m + n))
          | _ -> None) }
