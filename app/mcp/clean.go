package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of an answer, in bytes. A model reads all of it.
const (
	maxText   = 16 << 10  // of the text
	maxValue  = 32 << 10  // of the structured content
	maxResult = 128 << 10 // of that of a run: its diffs and its proof are wanted whole
	maxString = 8 << 10   // of one string in it; a diff is the longest
)

// cleanText is a text without control characters and without those that turn the direction of writing. Line ends and
// tabs stay: a text has lines, and a diff whose tabs are gone cannot be applied. What is longer than limit is cut, and
// says so.
func cleanText(text string, limit int) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\t':
			return r
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r):
			return unicode.ReplacementChar
		}
		return r
	}, text)
	if len(text) <= limit {
		return text
	}
	const note = "\n… (cut)"
	end := limit - len(note)
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + note
}

// plainLine is a text on one line.
func plainLine(text string, limit int) string {
	return strings.NewReplacer("\n", " ", "\t", " ").Replace(cleanText(text, limit))
}

// cleanValue is a value as JSON would have it, with every string cleaned. Numbers keep their digits.
func cleanValue(v any) (any, error) {
	tree, err := treeOf(v)
	if err != nil {
		return nil, err
	}
	return cleanTree(tree), nil
}

// treeOf is a value as JSON has it: objects, lists, strings, json.Numbers.
func treeOf(v any) (any, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("writing the answer: %w", err)
	}
	return readTree(data)
}

func readTree(data []byte) (tree any, err error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err = d.Decode(&tree); err != nil {
		return nil, fmt.Errorf("reading JSON: %w", err)
	}
	return tree, nil
}

func cleanTree(v any) any {
	switch v := v.(type) {
	case string:
		return cleanText(v, maxString)
	case []any:
		for i := range v {
			v[i] = cleanTree(v[i])
		}
	case map[string]any:
		for key, value := range v {
			fresh := cleanText(key, maxName)
			if fresh != key {
				delete(v, key)
			}
			v[fresh] = cleanTree(value)
		}
	}
	return v
}

// fit cuts the lists of a value, the longest first, until it has at most limit bytes of JSON, and says of each list
// what was left out. keep are names of lists that stay whole as long as others can be cut.
func fit(v any, rows, limit int) (tree any, cut []string, err error) {
	whole, err := treeOf(v)
	if err != nil {
		return nil, nil, err
	}
	data, err := json.Marshal(whole)
	if err != nil {
		return nil, nil, fmt.Errorf("writing the answer: %w", err)
	}
	for ; ; rows /= 2 {
		tree, _ := readTree(data) // written by us just now
		cut = cut[:0]
		tree = cutLists(tree, "", rows, &cut)
		small, err := json.Marshal(tree)
		if err != nil {
			return nil, nil, fmt.Errorf("writing the answer: %w", err)
		}
		if len(small) <= limit {
			return tree, unique(cut), nil
		}
		if rows <= 1 {
			return nil, nil, fmt.Errorf("the answer has %d bytes with one row of each list, and %d is the most; "+
				"ask for less of it", len(small), limit)
		}
	}
}

// cutLists cuts each list to so many rows. Objects that are maps by name, with more keys than rows, are left alone: the
// types of a case have none that grow.
func cutLists(v any, path string, rows int, cut *[]string) any {
	switch v := v.(type) {
	case []any:
		if len(v) > rows {
			*cut = append(*cut, fmt.Sprintf("%s: %d of %d", path, rows, len(v)))
			v = v[:rows]
		}
		for i := range v {
			v[i] = cutLists(v[i], path+"[]", rows, cut)
		}
		return v
	case map[string]any:
		for key, value := range v {
			v[key] = cutLists(value, strings.TrimPrefix(path+"."+key, "."), rows, cut)
		}
	}
	return v
}

// maxCuts bounds the list of what was cut: each path is said once, with its largest number.
const maxCuts = 20

func unique(cut []string) []string {
	seen := make(map[string]bool)
	out := []string{}
	for _, c := range cut {
		path, _, _ := strings.Cut(c, ": ")
		if !seen[path] && len(out) < maxCuts {
			seen[path] = true
			out = append(out, c)
		}
	}
	return out
}
