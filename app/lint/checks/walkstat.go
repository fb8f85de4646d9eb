package checks

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
)

var walkStat = check("walkstat", findWalkStat, `report walks over a folder that ask the system about each file of it

filepath.Walk, ioutil.ReadDir and File.Readdir call lstat for each file, to give its size and time. The folder itself says
names and kinds: filepath.WalkDir, os.ReadDir and File.ReadDir give these without it.

It counts only with heat, by what lstat takes below the call. Reported are calls of a function literal, or a loop, that
asks only for what the folder says. Not reported: what asks for the size, the time or the mode of files; functions that
are not to be seen; and what runs once.`)

func findWalkStat(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		fn := u.callee(call)
		instead := ""
		switch {
		case fn == nil || u.runsOnce(cur):
		case isFunc(fn, "path/filepath", "Walk") && u.walksByName(call):
			instead = "filepath.WalkDir"
		case isFunc(fn, "io/ioutil", "ReadDir") && u.listsByName(cur):
			instead = "os.ReadDir"
		case isMethod(fn, "os", "File", "Readdir") && u.listsByName(cur):
			instead = "ReadDir"
		}
		if instead == "" {
			continue
		}
		u.Report(analysis.Diagnostic{Pos: call.Pos(), End: call.End(), Category: u.Analyzer.Name,
			Message: "the system is asked about each file, and nothing but its name and kind is used: " + instead +
				" has these from the folder",
			Related: []analysis.RelatedInformation{{Pos: call.Pos(), End: call.End(), Message: "is asked here"}}})
	}
}

// walksByName reports whether the function literal of a walk asks for the names and kinds of files alone.
func (u *unit) walksByName(call *ast.CallExpr) bool {
	lit, ok := ast.Unparen(call.Args[1]).(*ast.FuncLit)
	if !ok {
		return false
	}
	var info *types.Var
	for v := range u.TypesInfo.TypeOf(lit).(*types.Signature).Params().Variables() {
		if isNamed(v.Type(), "io/fs", "FileInfo") {
			info = v
		}
	}
	for _, file := range u.files {
		for at, l := range below[*ast.FuncLit](file) {
			if l == lit {
				return info == nil || u.byName(at, info)
			}
		}
	}
	return false
}

// listsByName reports whether what a folder has is ranged over for names and kinds alone.
func (u *unit) listsByName(cur inspector.Cursor) bool {
	v := u.assigned(cur)
	f, ok := function(cur)
	if v == nil || !ok || v.Kind() != types.LocalVar {
		return false
	}
	some := false
	for _, use := range u.uses(f, v) {
		r, ok := use.Parent().Node().(*ast.RangeStmt)
		if !ok {
			if call, isCall := use.Parent().Node().(*ast.CallExpr); isCall && u.builtin(call) == "len" {
				continue
			}
			return false
		}
		id, ok := r.Value.(*ast.Ident)
		if !ok {
			return false
		}
		info, ok := u.TypesInfo.Defs[id].(*types.Var)
		if !ok || !u.byName(f, info) {
			return false
		}
		some = true
	}
	return some
}

// byName reports whether a file's state is used for its name and kind alone.
func (u *unit) byName(in inspector.Cursor, info *types.Var) bool {
	for _, use := range u.uses(in, info) {
		switch p := use.Parent().Node().(type) {
		case *ast.BinaryExpr: // info != nil
		case *ast.SelectorExpr:
			switch p.Sel.Name {
			case "Name", "IsDir":
			case "Mode": // of which only the kind is asked
				kind, ok := use.Parent().Parent().Parent().Node().(*ast.SelectorExpr)
				if !ok || kind.Sel.Name != "IsDir" && kind.Sel.Name != "IsRegular" && kind.Sel.Name != "Type" {
					return false
				}
			default:
				return false
			}
		default:
			return false
		}
	}
	return true
}
