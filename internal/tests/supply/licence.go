package supply

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// allowed are the licences, by their SPDX identifiers, that a program under Apache-2.0 may link and ship with no more
// than their texts: permissive ones, and MPL-2.0, whose files stay under it and are not changed here. Unlicense and
// CC0-1.0 give up all rights, as does SQLite ("blessing" by SPDX's name). No GPL, LGPL or AGPL; none that a text below does not tell for certain.
var allowed = []string{"Apache-2.0", "MIT", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MPL-2.0", "Zlib", "0BSD",
	"Unlicense", "CC0-1.0", "BSL-1.0", "blessing"}

// A phrase identifies a licence: each is in one licence's text and in no other of the list.
type phrase struct{ id, text string }

var phrases = []phrase{
	{"Apache-2.0", "Apache License Version 2.0, January 2004"},
	{"Apache-2.0", "Licensed under the Apache License, Version 2.0"},
	{"MIT", "Permission is hereby granted, free of charge, to any person obtaining a copy"},
	{"ISC", "Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee " +
		"is hereby granted, provided that"},
	{"ISC", "Permission to use, copy, modify, and distribute this software for any purpose with or without fee is " +
		"hereby granted, provided that"},
	{"0BSD", "modify, and/or distribute this software for any purpose with or without fee is hereby granted. THE " +
		"SOFTWARE"},
	{"MPL-2.0", "Mozilla Public License Version 2.0"},
	{"MPL-2.0", "Mozilla Public License, version 2.0"},
	{"Unlicense", "This is free and unencumbered software released into the public domain"},
	{"CC0-1.0", "CC0 1.0 Universal"},
	{"BSL-1.0", "Boost Software License - Version 1.0"},
	{"Zlib", "This software is provided 'as-is', without any express or implied warranty"},
	{"blessing", "SQLite Is Public Domain"},
	{"GPL", "GNU GENERAL PUBLIC LICENSE"},
	{"LGPL", "GNU LESSER GENERAL PUBLIC LICENSE"},
	{"AGPL", "GNU AFFERO GENERAL PUBLIC LICENSE"},
	{"SSPL-1.0", "Server Side Public License"},
	{"BUSL-1.1", "Business Source License 1.1"},
}

// secondary is where the MPL's own text names the GNU licences (section 1.12): to combine with, not to be under.
var secondary = regexp.MustCompile(`"Secondary License" means either the GNU .{0,300}? of those licenses\.`)

// licences are the SPDX identifiers of what a licence file's text holds; none where it is no text that is known.
func licences(text string) []string {
	words := strings.Join(strings.Fields(text), " ")
	words = secondary.ReplaceAllString(words, "")
	var found []string
	add := func(id string) {
		if !slices.Contains(found, id) {
			found = append(found, id)
		}
	}
	for _, p := range phrases {
		if strings.Contains(strings.ToLower(words), strings.ToLower(p.text)) {
			add(p.id)
		}
	}
	if strings.Contains(words, "Redistribution and use in source and binary forms") {
		if strings.Contains(words, "Neither the name") || strings.Contains(words, "may be used to endorse") {
			add("BSD-3-Clause")
		} else {
			add("BSD-2-Clause")
		}
	}
	return found
}

// fileNames are the names under which modules keep the text, in lower case.
var fileNames = []string{"license", "licence", "copying", "unlicense"}

// Files are the names of the licence files in a folder, sorted.
func Files(dir string) (names []string, err error) {
	files, err := os.ReadDir(dir)
	for _, f := range files {
		name, _, _ := strings.Cut(strings.ToLower(f.Name()), ".")
		name, of, _ := strings.Cut(name, "-")
		if of == "logo" { // says whose the picture of a README is
			continue
		}
		if f.Type().IsRegular() && slices.Contains(fileNames, name) && !strings.HasSuffix(f.Name(), ".go") {
			names = append(names, f.Name())
		}
	}
	return names, err
}

// Licences are the SPDX identifiers of all licence files in a folder, sorted.
func Licences(dir string) ([]string, error) {
	files, err := Files(dir)
	if err != nil {
		return nil, err
	}
	var found []string
	for _, name := range files {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		ids := licences(string(text))
		if len(ids) == 0 {
			return nil, fmt.Errorf("%s in %s is no licence that this package knows", name, dir)
		}
		found = append(found, ids...)
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("there is no licence in %s", dir)
	}
	slices.Sort(found)
	return slices.Compact(found), nil
}

// permitted says why a module's licences are not allowed; nil when every one of them is.
func permitted(ids []string) error {
	for _, id := range ids {
		if !slices.Contains(allowed, id) {
			return fmt.Errorf("its licence %s is not on the list: %s", id, strings.Join(allowed, ", "))
		}
	}
	return nil
}
