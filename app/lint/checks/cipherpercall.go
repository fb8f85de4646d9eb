package checks

import (
	"go/ast"

	"golang.org/x/tools/go/ast/inspector"
)

var cipherPerCall = check("cipherpercall", findCipherPerCall, `report AES ciphers that are made of a kept key at each call

aes.NewCipher works out the keys of all rounds, and cipher.NewGCM its tables: 1.3 kB, and more time than sealing a short
text takes. Both may be used by several goroutines at once, so that one beside the key is enough.

It counts only with heat. Reported are aes.NewCipher of a field, an element or a package variable, and the NewGCM of such
a block. Not reported: keys that the call was given or made, and what runs once.`)

func findCipherPerCall(u *unit) {
	const do = "the cipher is worked out of a key that is kept, at each call: keep the cipher beside the key"
	for cur, call := range each[*ast.CallExpr](u) {
		if !isFunc(u.callee(call), "crypto/aes", "NewCipher") || u.runsOnce(cur) || u.outlives(cur) ||
			!u.isKeptKey(cur, call.Args[0]) {
			continue
		}
		u.report(call, do)
		f, ok := function(cur)
		block := u.assigned(cur)
		if !ok || block == nil {
			continue
		}
		for _, use := range u.uses(f, block) {
			seal, ok := use.Parent().Node().(*ast.CallExpr)
			if ok && isFunc(u.callee(seal), "crypto/cipher", "NewGCM") && !u.outlives(use.Parent()) {
				u.report(seal, do)
			}
		}
	}
}

// isKeptKey reports whether a key is a field, an element of one, a package variable, or a variable that got it from there.
func (u *unit) isKeptKey(cur inspector.Cursor, e ast.Expr) bool {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.SliceExpr:
			e = x.X
			continue
		case *ast.CallExpr:
			if to, of := u.conversion(x); to != nil {
				e = of
				continue
			}
			return false
		case *ast.SelectorExpr, *ast.IndexExpr:
			return true
		case *ast.Ident:
			return u.fromField(cur, x)
		}
		return false
	}
}

// fromField reports whether a variable is one of the package, or gets a field or an element where it is declared.
func (u *unit) fromField(cur inspector.Cursor, id *ast.Ident) bool {
	v := u.TypesInfo.Uses[id]
	if v == nil || v.Parent() == u.Pkg.Scope() {
		return v != nil
	}
	f, ok := function(cur)
	if !ok {
		return false
	}
	for _, s := range below[*ast.AssignStmt](f) {
		if len(s.Lhs) != len(s.Rhs) {
			continue
		}
		for i, lhs := range s.Lhs {
			if name, ok := lhs.(*ast.Ident); ok && u.TypesInfo.Defs[name] == v {
				switch ast.Unparen(s.Rhs[i]).(type) {
				case *ast.SelectorExpr, *ast.IndexExpr:
					return true
				}
			}
		}
	}
	return false
}
