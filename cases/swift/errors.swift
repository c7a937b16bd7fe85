public enum Trouble: Error { case empty, tooLarge(Int) }

@inline(never)
public func checked(_ n: Int) throws -> Int {
  if n == 0 { throw Trouble.empty }
  if n > 100 { throw Trouble.tooLarge(n) }
  return n &* 2
}

@inline(never)
public func deep(_ n: Int, _ log: (Int) -> Void) throws -> Int {
  defer { log(n) }
  return n > 3 ? try checked(n) : try deep(n &+ 1, log) &+ 1
}

public func caught(_ n: Int) -> Int {
  do {
    return try deep(n) { _ in }
  } catch Trouble.tooLarge(let by) {
    return by
  } catch {
    return -1
  }
}
