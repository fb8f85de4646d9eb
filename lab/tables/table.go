package tables

// A Table is the result of one group of measurements, ready to be shown.
type Table struct {
	Name    string   `json:"name"`  // one word: "range"
	Title   string   `json:"title"` // "Range by value, by index, by pointer"
	Text    string   `json:"text"`  // what was measured, and in which unit
	Columns []string `json:"columns"`
	// as many cells as Columns; the first names the row, the others are figures with their units
	Rows [][]string `json:"rows"`
	Said string     `json:"said,omitempty"` // what is often said of it, with its source; "" when no figure is known
	// whether what is said holds on today's Go, by these figures
	Holds string `json:"holds,omitempty"`
	Note  string `json:"note,omitempty"` // how to read the figures, and why they differ from what is said
}
