package checks

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

var walkAgain = check("walkagain", findWalkAgain, `report functions that walk what refers to others by name, without a note of what they have seen

Groups that are in groups, roles of roles, modules that require each other: what three others refer to is walked three
times, with all that is below it, and eight layers of that are thousands of walks where 32 groups are.

It counts only with heat. Reported are functions that find something in a map by a parameter, and call themselves in a
loop with what it refers to. Not reported: those that look into a second map by that parameter, or into a slice for it, or
put it into one: they have a note; those that follow pointers, as in a tree; and what runs once.`)

func findWalkAgain(u *unit) {
	for cur, f := range each[*ast.FuncDecl](u) {
		self := u.TypesInfo.Defs[f.Name]
		for at, call := range below[*ast.CallExpr](cur) {
			l, ok := loop(at)
			if self == nil || types.Object(u.callee(call)) != self || !ok || u.runsOnce(at) {
				continue
			}
			r, ok := l.Node().(*ast.RangeStmt)
			if !ok || r.Value == nil {
				continue
			}
			for i, arg := range call.Args {
				if name := u.param(f, i); u.isUse(arg, u.declares(r.Value)) && name != nil && u.foundBy(cur, name) {
					u.report(call, "what is found by "+name.Name()+" may be referred to more than once, and all below it is "+
						"walked each time: note what was visited, or keep what each call makes by "+name.Name())
				}
			}
		}
	}
}

// param is a parameter of a function by its number; nil if it has no name.
func (u *unit) param(f *ast.FuncDecl, i int) *types.Var {
	fn, ok := u.TypesInfo.Defs[f.Name].(*types.Func)
	if !ok || i >= fn.Signature().Params().Len() || fn.Signature().Params().At(i).Name() == "" {
		return nil
	}
	return fn.Signature().Params().At(i)
}

// foundBy reports whether what a function does with a parameter is to find something in one map by it, and nothing that
// may be a note of what it has seen.
func (u *unit) foundBy(f inspector.Cursor, name *types.Var) bool {
	in := ""
	for _, use := range u.uses(f, name) {
		switch p := use.Parent().Node().(type) {
		case *ast.IndexExpr:
			_, isMap := u.under(p.X).(*types.Map)
			of := types.ExprString(p.X)
			if !isMap || use.Parent().ParentEdgeKind() == edge.AssignStmt_Lhs || in != "" && in != of {
				return false
			}
			in = of
		case *ast.CallExpr:
			if fn := u.callee(p); fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "fmt" {
				return false
			}
		}
	}
	return in != ""
}

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
