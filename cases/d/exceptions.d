module exceptions;

class Trouble : Exception
{
    int by;
    this(int by) { super("trouble"); this.by = by; }
}

__gshared int log;

pragma(inline, false)
int checked(int n)
{
    if (n > 100)
        throw new Trouble(n);
    return n * 2;
}

pragma(inline, false)
int guarded(int n)
{
    scope (exit) log += 1;
    scope (failure) log += 10;
    try
        return checked(n) + 1;
    finally
        log += 100;
}

int caught(int n)
{
    try
        return guarded(n);
    catch (Trouble trouble)
        return trouble.by;
    catch (Exception)
        return -1;
}
