// Goroutines, channels and a select.
package channels

func Producer(n int, out chan<- int, done <-chan bool) {
	for i := 0; i < n; i++ {
		select {
		case out <- i:
		case <-done:
			close(out)
			return
		}
	}
	close(out)
}

func Sum(n int) (total int) {
	out, done := make(chan int, 2), make(chan bool)
	go Producer(n, out, done)
	for value := range out {
		total += value
		if total > 20 {
			done <- true
		}
	}
	return
}
