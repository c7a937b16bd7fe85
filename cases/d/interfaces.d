// Calls through an interface and of C++ classes: thunks that move `this`.
module interfaces;

__gshared int seed = 3;

extern (C++) interface Named { int name(int a); }
extern (C++) interface Sized { int size(int a); }

extern (C++) class Box : Named, Sized
{
    int width;
    pragma(inline, false) int name(int a) { return width + a; }
    pragma(inline, false) int size(int a) { return width * a; }
}

pragma(inline, false) int through(Named named, int a) { return named.name(a) + 1; }
pragma(inline, false) int second(Sized sized, int a) { return sized.size(a) + 1; }

int both(Box box, int a) { return through(box, a) + second(box, a); }
