package casework

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/app/anonymize"
	"github.com/gocasebook/casebook/app/openfile"
	"github.com/gocasebook/casebook/app/report"
	"github.com/gocasebook/casebook/casefile"
)

// An ExportRequest says which case is to travel, in which form and where to.
type ExportRequest struct {
	Case      Which
	Anonymize *anonymize.Options // write an anonymized copy; nil: the case as it is
	File      string             // the zip; "": ID.zip in the working directory
	To        io.Writer          // write the zip here and not to a file

	// LeftOut is told what is not in an anonymized copy, before the zip is written; nil: nobody is told.
	LeftOut func(what []string)
}

// Export writes a case to a zip. It returns the zip's file; "" if it went to r.To.
func Export(ctx context.Context, r ExportRequest) (file string, err error) {
	f, err := Open(r.Case)
	if err != nil {
		return "", err
	}
	if r.Anonymize != nil {
		copied, remove, err := anonymized(ctx, f, r)
		if err != nil {
			return "", fmt.Errorf("anonymizing case %s: %w", f.Case.ID, err)
		}
		defer remove()
		f = copied
	}
	if r.To != nil {
		return "", casefile.Export(f, until(ctx, r.To))
	}
	if file = r.File; file == "" {
		file = f.Case.ID + ".zip"
	}
	if err := exportFile(ctx, f, file); err != nil {
		return "", fmt.Errorf("exporting case %s: %w", f.Case.ID, err)
	}
	return file, nil
}

// anonymized returns the anonymized copy of a case, with its own diagnosis and page, in a folder that remove removes.
func anonymized(ctx context.Context, c *casefile.Folder, r ExportRequest) (*casefile.Folder, func(), error) {
	dir, err := os.MkdirTemp("", "casebook-anonymize-") // 0700
	if err != nil {
		return nil, nil, err
	}
	remove := func() { _ = os.RemoveAll(dir) } // what remains is anonymized, and the system clears it
	res, err := anonymize.Case(c, dir, *r.Anonymize)
	if err == nil {
		err = casebook.Diagnose(ctx, res.Folder)
	}
	if err == nil {
		err = WritePage(res.Folder.Path, report.Links{})
	}
	if err != nil {
		remove()
		return nil, nil, err
	}
	if r.LeftOut != nil {
		r.LeftOut(res.LeftOut)
	}
	return res.Folder, remove, nil
}

// exportFile writes the zip under another name first, so that a failure leaves no partial zip.
func exportFile(ctx context.Context, f *casefile.Folder, file string) error {
	out, err := os.OpenFile(file+".part", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	err = errors.Join(casefile.Export(f, until(ctx, out)), out.Sync(), out.Close())
	if err == nil {
		err = os.Rename(out.Name(), file)
	}
	if err != nil {
		_ = os.Remove(out.Name()) // the first error is the one to report
	}
	return err
}

// A writing is the Write of a writer.
type writing func(p []byte) (int, error)

func (w writing) Write(p []byte) (int, error) { return w(p) }

// until is a writer that fails when a context has ended.
func until(ctx context.Context, w io.Writer) io.Writer {
	return writing(func(p []byte) (int, error) {
		if ctx.Err() != nil {
			return 0, context.Cause(ctx)
		}
		return w.Write(p)
	})
}

// An Imported case is in the folder, even if its page could not be drawn.
type Imported struct {
	Folder  *casefile.Folder
	Undrawn error // why the case has no page; nil if it has one
}

// Import reads a case from a zip that Export wrote, from anyone, into the folder dir, and draws a new page with links.
// casefile.Dir.Import says what is checked.
func Import(dir, file string, links report.Links) (Imported, error) {
	in, err := openfile.Open(file)
	if err != nil {
		return Imported{}, fmt.Errorf("importing: %w", err)
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return Imported{}, fmt.Errorf("importing: %w", err)
	}
	f, err := casefile.Dir(dir).Import(in, info.Size(), casefile.TaskDraw)
	if err != nil {
		return Imported{}, fmt.Errorf("importing %s: %w", file, err)
	}
	return Imported{f, DrawPage(f, links)}, nil
}
