// Deferred calls, a recovered panic, and results with names.
package defers

func source(n int) int

func Divided(a, b int) (result int, failed bool) {
	defer func() {
		if recover() != nil {
			failed = true
		}
	}()
	return a / b, false
}

func Looped(n int) (sum int) {
	for i := 0; i < n; i++ {
		defer func(m int) { sum += m * i }(source(i))
	}
	return sum
}

func Raised(n int) int {
	if n > 3 {
		panic(n)
	}
	result, failed := Divided(n, n-1)
	if failed {
		return Looped(n)
	}
	return result
}
