package cli

import (
	"bytes"
	"errors"
	"path/filepath"

	"github.com/gocasebook/casebook/app/report"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// reportFile is the name of the HTML report in a case's folder.
const reportFile = "report.html"

func reportPath(caseDir string) string { return filepath.Join(caseDir, reportFile) }

// writeReport draws the report of the case in a folder and puts it there.
func writeReport(caseDir string, links report.Links) error {
	f, err := casefile.Open(caseDir)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	in := reportInput(f)
	in.Links = links
	if err := report.Write(&b, in); err != nil {
		return err
	}
	return f.AddFile(reportFile, b.Bytes())
}

// rewriteReport draws the report with the links that the environment asks for. When that asks for something impossible the
// report has none.
func rewriteReport(caseDir string) error {
	links, err := new(linkFlags).links()
	return errors.Join(err, writeReport(caseDir, links))
}

// reportInput reads what the report shows. What cannot be read is left to the report to say.
func reportInput(f *casefile.Folder) report.Input {
	in := report.Input{Case: f.Case}
	for _, e := range f.Case.Evidence {
		data, err := f.Read(e.File)
		if err != nil {
			data = nil // the page names the file as unreadable
		}
		if e.GoFormat {
			in.Profiles = append(in.Profiles, report.Profile{File: e.File, Kind: e.Kind, Phase: string(e.Phase), Data: data})
			continue
		}
		if e.Kind != casefile.Vitals { // for people and their tools: the page lists it
			continue
		}
		h, samples, _ := vitals.ReadJSONL(bytes.NewReader(data)) // what was read before an error still counts
		catalog := vitals.Join(in.VitalsHeader.Catalog, h.Catalog, samples)
		if h.Schema != 0 {
			in.VitalsHeader = h
		}
		in.VitalsHeader.Catalog = catalog
		in.Vitals = append(in.Vitals, samples...)
	}
	return in
}
