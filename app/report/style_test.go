package report

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/diagnose/stacks"
)

// WCAG 2.2, 1.4.3: text needs a contrast of 4.5 : 1.
func TestContrast(t *testing.T) {
	themes := [2]map[string]string{colours(t, 1), colours(t, 2)}
	pairs := [][2]string{
		{"text", "bg"}, {"text", "raised"}, {"text", "sunken"}, {"muted", "bg"}, {"muted", "raised"},
		{"muted", "sunken"},
		{"accent", "bg"}, {"accent", "raised"}, {"critical", "raised"}, {"warning", "raised"}, {"notice", "raised"},
		{"critical", "bg"}, {"good", "bg"}, {"good", "raised"}, {"good", "sunken"}, {"critical", "sunken"}, {"trip",
			"bg"},
		{"f-text", "f-user"}, {"f-text", "f-dependency"}, {"f-text", "f-std"}, {"f-text", "f-runtime"},
		{"f-text", "f-label"},
		{"f-text", "f-rest"},
		{"f-text", "f-match"}, {"f-mark-text", "f-mark"}, {"f-mark", "raised"},
	}
	for i, theme := range []string{"light", "dark"} {
		for _, p := range pairs {
			if c := contrast(t, themes[i][p[0]], themes[i][p[1]]); c < 4.5 {
				t.Errorf("%s: --%s on --%s has a contrast of %.2f, want 4.5", theme, p[0], p[1], c)
			}
		}
	}
}

// colours reads the style sheets' light-dark() pairs: column 1 is light, 2 is dark.
func colours(t *testing.T, column int) map[string]string {
	t.Helper()
	out := make(map[string]string)
	pair := regexp.MustCompile(`--([a-z0-9-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)`)
	for _, name := range []string{"../site/base.css", "assets/css/flame.css"} {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range pair.FindAllStringSubmatch(string(b), -1) {
			out[m[1]] = m[1+column]
		}
	}
	return out
}

func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	la, lb := luminance(t, a), luminance(t, b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

// luminance is the relative luminance of sRGB, as WCAG defines it.
func luminance(t *testing.T, hex string) float64 {
	t.Helper()
	n, err := strconv.ParseUint(strings.TrimPrefix(hex, "#"), 16, 24)
	if err != nil {
		t.Fatalf("colour %q: %v", hex, err)
	}
	linear := func(shift int) float64 {
		v := float64(n>>shift&0xff) / 255
		if v <= 0.04045 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(16) + 0.7152*linear(8) + 0.0722*linear(0)
}

// The page stores owners as numbers; the script names them.
func TestOwnersAgree(t *testing.T) {
	b, err := os.ReadFile("web/flamepaint.ts")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for o := stacks.User; o <= stacks.LabelValue; o++ {
		names = append(names, "'"+o.String()+"'")
	}
	if want := "OWNERS = [" + strings.Join(names, ", ") + "]"; !strings.Contains(string(b), want) {
		t.Errorf("flamepaint.ts does not have %s", want)
	}
}

func TestShell(t *testing.T) {
	for name, want := range map[string]string{
		"during/cpu.pb.gz": "during/cpu.pb.gz",
		"a b":              "'a b'",
		"x;rm -rf ~":       "'x;rm -rf ~'",
		"it's":             `'it'\''s'`,
		"-http=evil":       "'./-http=evil'",
		"-v":               "./-v",
		"":                 "''",
	} {
		if got := shell(name); got != want {
			t.Errorf("shell(%q) = %s, want %s", name, got, want)
		}
	}
}

// Nothing on the pages moves by itself, so that who asks the system for less motion gets it without asking the page.
func TestNothingMoves(t *testing.T) {
	for _, folder := range []string{"assets/css", "web", "../server/web", "../server/assets"} {
		files, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			text, err := os.ReadFile(filepath.Join(folder, f.Name()))
			if err != nil {
				t.Fatal(err)
			}
			if m := moving.Find(text); m != nil {
				t.Errorf("%s has %q: put it under prefers-reduced-motion: no-preference, and this test will know", f.Name(), m)
			}
		}
	}
}

var moving = regexp.MustCompile(`transition|animation|@keyframes|\.animate\(|behavior: ?['"]?smooth|scroll-behavior|<marquee|<blink`)
