// Interfaces, embedded types, type switches and large structures by value.
package interfaces

type shape interface{ area(int) int }
type named interface {
	shape
	name() string
}
type square struct{ side int }
type box struct {
	square
	rest [20]int
}

func (s square) area(n int) int { return s.side * n }
func (b box) name() string      { return "box" }
func (b box) total(c box) (d box) {
	d = c
	for i := range b.rest {
		d.rest[i] += b.rest[i]
	}
	return
}

func Measured(value interface{}) int {
	switch v := value.(type) {
	case named:
		return v.area(len(v.name()))
	case shape:
		return v.area(2)
	case int:
		return v
	}
	return box{square{1}, [20]int{3: 4}}.total(box{}).rest[3]
}
