package casefile

import (
	"bytes"
	"strings"
	"testing"
)

func TestOpenZip(t *testing.T) {
	w, err := Dir(t.TempDir()).Create(newCase())
	if err != nil {
		t.Fatal(err)
	}
	want := bytes.Repeat([]byte("profile "), 1000)
	if err := w.Add(evidence("a"), want); err != nil {
		t.Fatal(err)
	}
	f, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := Export(f, &b); err != nil {
		t.Fatal(err)
	}
	z, err := OpenZip(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	record, err := f.Read(caseName)
	if err != nil || !bytes.Equal(z.Record, record) || z.Case.ID != f.Case.ID {
		t.Errorf("the zip's case.json differs from the folder's (%v)", err)
	}
	e := z.Case.Evidence[0]
	var got bytes.Buffer
	if err := z.Extract(e, &got); err != nil || !bytes.Equal(got.Bytes(), want) {
		t.Errorf("the evidence came back with %d bytes, want %d (%v)", got.Len(), len(want), err)
	}
	longer, shorter, other, missing := e, e, e, e
	longer.Bytes++
	shorter.Bytes--
	other.SHA256 = strings.Repeat("0", 64)
	missing.File = "nowhere"
	for name, e := range map[string]Evidence{"longer": longer, "shorter": shorter, "other": other, "missing": missing} {
		if err := z.Extract(e, new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), "damaged") {
			t.Errorf("evidence that is %s in case.json: %v, want that the zip is damaged", name, err)
		}
	}
}
