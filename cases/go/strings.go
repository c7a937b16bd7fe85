// Strings and slices that grow, maps, and bounds that are checked.
package strings

func Joined(parts []string, separator string) string {
	result := ""
	for i, part := range parts {
		if i > 0 {
			result += separator
		}
		result += part[:len(part)/2]
	}
	return result
}

func Counted(words []string) (counts map[string][]int) {
	counts = make(map[string][]int)
	for i, word := range words {
		counts[word] = append(counts[word], i)
	}
	delete(counts, Joined(words, "-"))
	return
}
