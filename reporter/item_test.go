package reporter

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

var aSum = strings.Repeat("0123456789abcdef", 4)

const anID = "20261121T132512Z-gc-cpu-3f2a9c"

func TestParseItem(t *testing.T) {
	for _, name := range []string{anID + "." + aSum + ".zip", anID + "." + aSum + ".refused-401.zip",
		anID + "." + aSum + ".json", anID + "." + aSum + ".refused-401.json"} {
		it, ok := parseItem(name)
		if !ok || it.id != anID || it.sum != aSum || (it.refused == 401) != strings.Contains(name, "401") ||
			it.name() != name {
			t.Errorf("parseItem(%q) = %+v, %t", name, it, ok)
		}
	}
	for _, name := range []string{
		"", ".zip", "..", spoolLock, partPrefix + "x", anID + ".zip", anID + "." + aSum, anID + "." + aSum + ".zip.zip",
		anID + "." + aSum + ".zip.json", anID + "." + aSum + ".json.zip",
		"../" + anID + "." + aSum + ".zip",
		anID + "." + strings.ToUpper(aSum) + ".zip", anID + "." + aSum[1:] + ".zip", "x." + aSum + ".zip",
		anID + "." + aSum + ".refused-.zip",
		anID + "." + aSum + ".refused-0401.zip", anID + "." + aSum + ".refused-99.zip", anID + "." + aSum + ".401.zip",
		anID + "." + aSum + ".refused-401.x.zip",
	} {
		if it, ok := parseItem(name); ok {
			t.Errorf("parseItem(%q) = %+v, want it refused", name, it)
		}
	}
}

func FuzzItemName(f *testing.F) {
	f.Add(anID + "." + aSum + ".zip")
	f.Add(anID + "." + aSum + ".refused-503.zip")
	f.Add("../../etc/passwd")
	f.Fuzz(func(t *testing.T, name string) {
		it, ok := parseItem(name)
		if !ok {
			return
		}
		if it.name() != name || !casefile.ValidID(it.id) || !filepath.IsLocal(name) || filepath.Base(name) != name {
			t.Errorf("parseItem(%q) = %+v, whose name is %q", name, it, it.name())
		}
		if again, ok := parseItem(it.refusedWith(403).name()); !ok || again != it.refusedWith(403) {
			t.Errorf("refused, %q reads %+v, %t", name, again, ok)
		}
	})
}
