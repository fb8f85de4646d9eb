package server

import (
	"testing"

	"github.com/gocasebook/casebook/app/fleet"
	"github.com/gocasebook/casebook/app/typescript"
	"github.com/gocasebook/casebook/internal/golden"
)

// web/status.ts says in TypeScript what the events of a target are.
func TestStatusTypes(t *testing.T) {
	text, err := typescript.Interfaces("// The live state of a target. Made of package fleet's structs: go test ./server "+
		"-run TestStatusTypes -update.\n", nil, fleet.Status{})
	if err != nil {
		t.Fatal(err)
	}
	golden.Is(t, "web/status.ts", text)
}
