// Reads the vectors: go run vectors.go FOLDER. Counts cases and answers; a reader under test takes the place of the comment.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

type index struct {
	Cases []struct{ ID, Section, Case string }
}

type vector struct {
	ABI     string
	Section struct{ Address string }
	Answers []struct {
		PC     string
		Expect string
		Row    *int
	}
}

func read(path string, into any) {
	bytes, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(bytes, into)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, path, err)
		os.Exit(1)
	}
}

func main() {
	root, cases, answers := os.Args[1], index{}, map[string]int{}
	read(filepath.Join(root, "index.json"), &cases)
	for _, entry := range cases.Cases {
		one := vector{}
		read(filepath.Join(root, entry.Case), &one)
		for _, answer := range one.Answers {
			// Here: look answer.PC up in entry.Section at one.Section.Address, and compare with answer.Expect and answer.Row.
			answers[answer.Expect]++
		}
	}
	fmt.Println(len(cases.Cases), "cases", answers)
}
