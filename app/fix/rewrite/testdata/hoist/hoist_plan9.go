package hoist

func isNamePattern() bool { return text("Plan 9").isName() }
