package report

import (
	"html/template"
	"strings"

	"github.com/gocasebook/casebook/app/sourceurl"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// A pictureLine is one resource of the case's picture: what there was of it, and the places that had most.
type pictureLine struct {
	Name string
	Head string // "1 GiB live"
	Rows []pictureRow
}

type pictureRow struct {
	Amount string
	place
	What string
}

// pictureNames are what the page calls the lines of a casefile.Picture.
var pictureNames = map[string]string{"tripped": "Tripped by", "answers": "Answers", "heap": "Holds the heap",
	"cpu":        "Takes the CPU",
	"goroutines": "Goroutines wait",
	"machine":    "The machine's CPUs"}

func pictureLines(p *casefile.Picture, links *sourceurl.Links) []pictureLine {
	var out []pictureLine
	for _, l := range p.Lines() {
		line := pictureLine{Name: pictureNames[l.Name], Head: l.Text}
		if len(l.Places) > 0 {
			line.Head, _, _ = strings.Cut(l.Text, ": ")
		}
		for _, at := range l.Places {
			row := pictureRow{Amount: percent(at.Share), What: at.What}
			if l.Unit == string(vitals.Count) { // people count goroutines
				row.Amount = quantity(float64(int64(at.Share*l.Total+0.5)), vitals.Count)
			}
			row.place = place{
				Frame:  casefile.Frame{Function: at.Function, File: at.File, Line: at.Line},
				Symbol: splitSymbol(at.Function), URL: template.URL(links.URL(at.Function, at.File, at.Line)),
			}
			line.Rows = append(line.Rows, row)
		}
		out = append(out, line)
	}
	return out
}
