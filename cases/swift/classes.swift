open class Shape {
  public let side: Int
  public init(side: Int) { self.side = side }
  open func area(_ scale: Int) -> Int { side &* scale }
  deinit { released(side) }
}

public final class Square: Shape {
  override public func area(_ scale: Int) -> Int { super.area(scale) &* side }
}

@inline(never)
public func released(_ n: Int) {}

@inline(never)
public func total(_ shapes: [Shape]) -> Int {
  var sum = 0
  for shape in shapes { sum &+= shape.area(2) }
  return sum
}

public func made(_ n: Int) -> Int {
  total([Shape(side: n), Square(side: n &+ 1)])
}
