package checks

import (
	"go/ast"
	"strings"

	"golang.org/x/tools/go/analysis"
)

var codecHot = &analysis.Analyzer{
	Name: "codechot",
	Doc: `report encoding and decoding by reflection where much goes

encoding/json, xml, gob and yaml find out at run time what a value is made of, and allocate for most of what they meet:
code that is generated for the type takes a third of that or less (docs/lab.md, "JSON, Protobuf, Avro, FlatBuffers"),
and what is kept as it was made or read takes nothing.

It counts only with heat, from some percent on. Reported are calls of these packages that encode or decode a value. Not
reported: where another check has something better for the same call, and what runs once.`,
	Requires: needs,
	Run:      over(findCodecHot),
}

func findCodecHot(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		fn := u.callee(call)
		if fn == nil || fn.Pkg() == nil || u.runsOnce(cur) {
			continue
		}
		var does string
		switch fn.Name() {
		case "Marshal", "MarshalIndent", "Encode", "EncodeElement":
			does = "encodes"
		case "Unmarshal", "Decode", "DecodeElement":
			does = "decodes"
		default:
			continue
		}
		if !isCodec(fn.Pkg().Path()) || len(call.Args) == 0 {
			continue
		}
		verb := strings.TrimSuffix(does, "s")
		u.report(call, fn.Pkg().Name()+" "+does+" by reflection at each pass: keep what was made and "+verb+
			" less often, or "+verb+" by code that is generated for the type")
	}
}

// isCodec reports whether a package encodes values by reflection.
func isCodec(path string) bool {
	switch path {
	case "encoding/json", "encoding/xml", "encoding/gob", "gopkg.in/yaml.v2", "gopkg.in/yaml.v3", "go.yaml.in/yaml/v3",
		"github.com/goccy/go-yaml", "github.com/BurntSushi/toml":
		return true
	}
	return false
}
