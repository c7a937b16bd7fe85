// Calls of virtual functions through a second base and through a virtual one: thunks move `this`, then jump.
#define KEEP __attribute__((noinline))

volatile int seed = 3;

struct Shape {
  int width;
  virtual int area(int a);
};
struct Named {
  int length;
  virtual int name(int a);
};
struct Solid : virtual Shape {
  int depth;
  int area(int a) override;
};
struct Box : Solid, Named {
  int area(int a) override;
  int name(int a) override;
};

KEEP int Shape::area(int a) { return width * a; }
KEEP int Named::name(int a) { return length + a; }
KEEP int Solid::area(int a) { return Shape::area(a) + depth; }
KEEP int Box::area(int a) { return Solid::area(a) * 2; }
KEEP int Box::name(int a) { return area(a) + Named::name(a); }

KEEP int through_virtual(Shape *shape, int a) { return shape->area(a) + 1; }
KEEP int through_second(Named *named, int a) { return named->name(a) + 1; }

extern "C" int test() {
  Box box;
  box.width = seed, box.depth = 2, box.length = 5;
  return through_virtual(&box, seed) + through_second(&box, seed);
}

// What a vtable names and nothing here calls.
extern "C" void __cxa_pure_virtual() {}
void operator delete(void *, unsigned long) noexcept {}
void operator delete(void *) noexcept {}
