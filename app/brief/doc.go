// Package brief writes what evidence shows for whoever is asked about it: a person, a script, a model.
//
// The problem: a reader who is asked at three in the morning, or pays by the token, wants what hurts first, with the
// lines of code it stands at, and no more than fits. The approach: every fact of a facts.Sheet becomes a block that is
// whole or left out, the largest harm first; each section has a part of the room, excerpts of source shrink before a
// fact goes, and what was left out is counted. Names, paths and source come from evidence, which anybody may have
// written: they are quoted so that no markup and no instruction in them can leave its quotes.
//
// Limits: Tokens estimates what a model would count, from above for text such as this; a model's own count differs.
package brief
