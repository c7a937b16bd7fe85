// Functions as values: closures over variables, methods as values, and recursion through a variable.
package closures

type counter struct{ step, now int }

func (c *counter) next() int {
	c.now += c.step
	return c.now
}

func Apply(f func(int) int, n int) int { return f(n) + f(n+1) }

func Total(n int) int {
	sum := 0
	add := func(m int) int {
		sum += m
		return sum
	}
	var fact func(int) int
	fact = func(m int) int {
		if m < 2 {
			return 1
		}
		return m * fact(m-1)
	}
	c := counter{n, 0}
	next := c.next
	return Apply(add, n) + fact(n) + next()
}
