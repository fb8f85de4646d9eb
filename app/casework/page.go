package casework

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/gocasebook/casebook/app/report"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/room"
	"github.com/gocasebook/casebook/vitals"
)

// PageName is the name of a case's HTML page in its folder.
const PageName = "report.html"

// PagePath returns where the page of the case in a folder is, or would be.
func PagePath(caseDir string) string { return filepath.Join(caseDir, PageName) }

// HasPage reports whether the case in a folder has a page.
func HasPage(caseDir string) bool { return exists(PagePath(caseDir)) }

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// DrawPage is WritePage for a case that nothing else is working on: nothing prunes it meanwhile, and if this process is
// killed, the next watch draws the page.
func DrawPage(f *casefile.Folder, links report.Links) error {
	return whileNoted(f, func() error { return WritePage(f.Path, links) })
}

// whileNoted draws a page, with a note about it in the case's folder meanwhile.
func whileNoted(f *casefile.Folder, draw func() error) error {
	left, err := f.TakeTodo()
	if err == nil && left == nil {
		left, err = f.AddTodo(casefile.TaskDraw)
	}
	// somebody else works on the case and keeps it; or the folder is not writable, and draw reports that
	if err != nil {
		return draw()
	}
	err = draw()
	if err == nil {
		err = left.Done(casefile.TaskDraw)
	}
	return errors.Join(err, left.Release())
}

// WritePage draws the page of the case in a folder and puts it there.
func WritePage(caseDir string, links report.Links) error {
	f, err := casefile.Open(caseDir)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := Page(&b, f, links); err != nil {
		return err
	}
	return f.AddFile(PageName, b.Bytes())
}

// Page draws the page of a case, and leaves its folder as it is.
func Page(w io.Writer, f *casefile.Folder, links report.Links) error {
	in := pageInput(f)
	in.Links = links
	if links.Lines != nil {
		in.LinesNote = links.Lines(&in.Case.Diagnosis)
	}
	return report.Write(w, in)
}

// pageInput reads what the page shows. What cannot be read is left to the page to say.
func pageInput(f *casefile.Folder) report.Input {
	in := report.Input{Case: f.Case}
	left := room.Parsing()
	for _, e := range f.Case.Evidence {
		data := []byte(nil) // the page says that the file is unreadable
		if (e.GoFormat || e.Kind == casefile.Vitals) && e.Bytes <= left {
			left -= e.Bytes
			data, _ = f.Read(e.File)
		}
		if e.GoFormat {
			in.Profiles = append(in.Profiles,
				report.Profile{File: e.File, Kind: e.Kind, Phase: string(e.Phase), Data: data})
			continue
		}
		if e.Kind != casefile.Vitals { // for people and their tools: the page lists it
			continue
		}
		h, samples, _ := vitals.ReadJSONLUpTo(bytes.NewReader(data), left) // what was read before an error still counts
		left -= int64(len(samples) * vitals.SampleBytes)
		catalog := vitals.Join(in.VitalsHeader.Catalog, h.Catalog, samples)
		if h.Schema != 0 {
			in.VitalsHeader = h
		}
		in.VitalsHeader.Catalog = catalog
		in.Vitals = append(in.Vitals, samples...)
	}
	return in
}
