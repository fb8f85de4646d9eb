package casefile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A case.json may carry fields that this version does not know, from a newer one or from another program. They must
// survive an Update. So the new file is made of three trees: raw is the file as it was, old is the same as this
// version reads it, next is what it is to become. A field in raw and not in old is an unknown one and is added to next.

// encodeKeeping is encode(next) with the unknown fields of raw added. With unknown fields in it, the file's fields
// are in alphabetical order.
func encodeKeeping(raw []byte, old, next *Case) ([]byte, error) {
	plain, err := encode(next)
	if err != nil {
		return nil, err
	}
	before, err := encode(old)
	if err != nil {
		return nil, err
	}
	var m merger
	merged := m.merge(tree(raw), tree(before), tree(plain))
	if m.kept == 0 {
		return plain, nil
	}
	data, err := json.MarshalIndent(merged, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encoding %s: %w", caseName, err)
	}
	return checkSize(append(data, '\n'))
}

// tree parses JSON that Decode has read before; what cannot be parsed is an empty tree, to which nothing is kept.
func tree(data []byte) any {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber() // or large integers lose digits
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil
	}
	return v
}

type merger struct{ kept int }

func (m *merger) merge(raw, old, next any) any {
	switch next := next.(type) {
	case map[string]any:
		rawMap, ok1 := raw.(map[string]any)
		oldMap, ok2 := old.(map[string]any)
		if ok1 && ok2 {
			m.object(rawMap, oldMap, next)
		}
	case []any:
		rawList, ok1 := raw.([]any)
		oldList, ok2 := old.([]any)
		if ok1 && ok2 && len(rawList) == len(oldList) {
			m.list(rawList, oldList, next)
		}
	}
	return next
}

// object adds to next what only raw has. encoding/json takes "ID" for "id": a field that differs from a known one in
// case only is not an unknown one.
func (m *merger) object(raw, old, next map[string]any) {
	known := slices.AppendSeq(slices.Collect(maps.Keys(old)), maps.Keys(next)) // few: the fields of one of our types
	for key, value := range raw {
		before, read := old[key]
		after, stays := next[key]
		switch {
		case read && stays:
			next[key] = m.merge(value, before, after)
		case !slices.ContainsFunc(known, func(k string) bool { return strings.EqualFold(k, key) }):
			next[key] = value
			m.kept++
		}
	}
}

// list merges the elements that did not change, wherever they are now.
func (m *merger) list(raw, old, next []any) {
	at := make(map[string][]int, len(old)) // places in old, by content
	for i := range old {
		key := text(old[i])
		at[key] = append(at[key], i)
	}
	for i := range next {
		key := text(next[i])
		if places := at[key]; len(places) > 0 {
			next[i] = m.merge(raw[places[0]], old[places[0]], next[i])
			at[key] = places[1:]
		}
	}
}

// text is a tree as JSON, whose maps are sorted by key: equal texts are equal trees.
func text(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(data)
}
