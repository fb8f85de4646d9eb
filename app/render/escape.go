package render

// Escape returns text that Markdown shows as it is, for other packages that write Markdown.
func Escape(text string) string { return escape(text) }
