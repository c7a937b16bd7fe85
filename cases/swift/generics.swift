public protocol Store {
  associatedtype Item
  mutating func put(_ item: Item)
  var count: Int { get }
}

@inline(never)
public func filled<S: Store>(_ store: inout S, _ item: S.Item, _ n: Int) -> Int {
  for _ in 0..<n { store.put(item) }
  return store.count
}

@inline(never)
public func swapped<A, B>(_ pair: (A, B)) -> (B, A) { (pair.1, pair.0) }

@inline(never)
public func largest<T: Comparable>(_ a: T, _ b: T, _ c: T) -> T {
  let ab = a < b ? b : a
  return ab < c ? c : ab
}
