package lint

// ours are Casebook's own checks.
func ours() []Check { return nil }
