public struct Wide {
  public var a, b, c, d, e, f, g, h: Int
}

@inline(never)
public func many(_ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int, _ f: Int, _ g: Int, _ h: Int, _ i: Int, _ j: (Int) -> Int) -> Int {
  j(a &+ b &* c &+ d &* e) &+ j(f &* g &+ h &* i)
}

@inline(never)
public func widened(_ w: Wide, _ n: Int, _ f: (Int) -> Int) -> Wide {
  if n == 0 { return w }
  var next = w
  next.a = many(w.a, w.b, w.c, w.d, w.e, w.f, w.g, w.h, n, f)
  return widened(next, n &- 1, f)
}

public func ackermann(_ m: Int, _ n: Int, _ f: (Int) -> Void) -> Int {
  f(n)
  if m == 0 { return n &+ 1 }
  if n == 0 { return ackermann(m &- 1, 1, f) }
  return ackermann(m &- 1, ackermann(m, n &- 1, f), f)
}
