package casefile

// An ObjectAge is how long what a line allocates stays alive on average (a byte of it), from two heap profiles.
type ObjectAge struct {
	Function string `json:"function"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`

	Bytes     int64   `json:"bytes"`     // live at the second profile
	Allocated float64 `json:"allocated"` // bytes a second between the two
	// Low and High are 95 % of where the age is, in seconds; nil without that bound. Both are nil where the line's
	// live objects grow or shrink: then there is no age.
	Low  *float64 `json:"low,omitempty"`
	High *float64 `json:"high,omitempty"`
	Text string   `json:"text"` // for people: "2.1–3.4 min", "more than 5 min", "none: more at the end"
}
