package checks

import (
	"go/ast"
	"go/types"
	"slices"

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
			if self == nil || types.Object(u.Callee(call)) != self || !ok || u.runsOnce(at) {
				continue
			}
			r, ok := l.Node().(*ast.RangeStmt)
			if !ok || r.Value == nil {
				continue
			}
			for i, arg := range call.Args {
				if name := u.param(f, i); u.IsUse(arg, u.declares(r.Value)) && name != nil && u.foundBy(cur, name) {
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
	return u.All(f, name, func(use inspector.Cursor) bool {
		switch p := use.Parent().Node().(type) {
		case *ast.IndexExpr:
			of := types.ExprString(p.X)
			first := in == "" || in == of
			in = of
			return first && isPlainMap(u.TypesInfo.TypeOf(p.X)) && use.Parent().ParentEdgeKind() != edge.AssignStmt_Lhs
		case *ast.CallExpr:
			fn := u.Callee(p)
			return fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "fmt"
		}
		return true
	}) && in != ""
}

var walkStat = check("walkstat", findWalkStat, `report walks over a folder that ask the system about each file of it

filepath.Walk, ioutil.ReadDir and File.Readdir call lstat for each file, to give its size and time. The folder itself says
names and kinds: filepath.WalkDir, os.ReadDir and File.ReadDir give these without it.

It counts only with heat, by what lstat takes below the call. Reported are calls of a function literal, or a loop, that
asks only for what the folder says. Not reported: what asks for the size, the time or the mode of files; functions that
are not to be seen; and what runs once.`)

var walksFolder = []callee{{"path/filepath", "", "Walk", "filepath.WalkDir"},
	{"io/ioutil", "", "ReadDir", "os.ReadDir"}, {"os", "File", "Readdir", "ReadDir"}}

func findWalkStat(u *unit) {
	for cur, c := range u.calls(walksFolder...) {
		if c.fn.Name() == "Walk" && u.walksByName(cur, c) || c.fn.Name() != "Walk" && u.listsByName(cur) {
			u.relate(c, "the system is asked about each file, and nothing but its name and kind is used: "+c.says+
				" has these from the folder", there(c, "is asked here"))
		}
	}
}

// walksByName reports whether the function literal of a walk asks for the names and kinds of files alone.
func (u *unit) walksByName(cur inspector.Cursor, call site) bool {
	lit := cur.ChildAt(edge.CallExpr_Args, 1)
	sig, ok := u.TypesInfo.TypeOf(call.Args[1]).(*types.Signature)
	if _, literal := lit.Node().(*ast.FuncLit); !literal || !ok {
		return false
	}
	for v := range sig.Params().Variables() {
		if isNamed(v.Type(), "io/fs", "FileInfo") {
			return u.byName(lit, v)
		}
	}
	return true
}

// listsByName reports whether what a folder has is ranged over for names and kinds alone.
func (u *unit) listsByName(cur inspector.Cursor) bool {
	ranged := false
	f, v := u.Local(cur)
	return v != nil && u.All(f, v, func(use inspector.Cursor) bool {
		switch p := use.Parent().Node().(type) {
		case *ast.CallExpr:
			return u.Builtin(p) == "len"
		case *ast.RangeStmt:
			info := u.declares(p.Value)
			ranged = info != nil && u.byName(f, info)
			return ranged
		}
		return false
	}) && ranged
}

// byName reports whether a file's state is used for its name and kind alone.
func (u *unit) byName(in inspector.Cursor, info *types.Var) bool {
	return u.All(in, info, func(use inspector.Cursor) bool {
		switch methodUsed(use) {
		case "Name", "IsDir":
			return true
		case "Mode": // of which only the kind is asked
			return slices.Contains([]string{"IsDir", "IsRegular", "Type"}, methodUsed(use.Parent().Parent()))
		}
		_, compared := use.Parent().Node().(*ast.BinaryExpr) // info != nil
		return compared
	})
}
