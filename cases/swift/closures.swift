public func adder(_ n: Int) -> (Int) -> Int { { $0 &+ n } }

@inline(never)
public func applied(_ f: (Int) -> Int, _ n: Int) -> Int {
  var total = 0
  for i in 0..<n { total &+= f(i) }
  return total
}

@inline(never)
public func counter(_ first: @escaping () -> Int) -> () -> Int {
  var n = first()
  return {
    n &+= first()
    return n
  }
}

@inline(never)
public func composed(_ f: @escaping (Int) -> Int, _ g: @escaping (Int) -> Int) -> (Int) -> Int { { g(f($0)) } }

public func summed(_ n: Int, _ f: @escaping (Int) -> Int) -> Int {
  let next = counter { f(n) }
  return applied(composed(adder(n), f), n) &+ next() &+ next()
}
