package report

// Style is the style sheet of tables and verdicts, for pages that other packages write: all of Casebook's look alike.
func Style() (string, error) { return join([]string{"assets/css/base.css", "assets/css/proof.css"}) }

// Policy is a Content-Security-Policy for a page with one style sheet and no script.
func Policy(style string) string {
	return "default-src 'none'; style-src " + hash(style) + "; img-src data:; base-uri 'none'; form-action 'none'"
}
