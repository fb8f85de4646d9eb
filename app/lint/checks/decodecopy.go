package checks

import (
	"go/ast"
)

var decodeCopy = check("decodecopy", findDecodeCopy, `report texts that are copied into bytes to be decoded

json.Unmarshal([]byte(s), &v) copies all of s, because Unmarshal keeps its argument while it works. Clients of databases
and queues give the same value as bytes as well: Bytes of go-redis, a []byte or sql.RawBytes to Scan.

It counts only with heat, by what the copy allocates. Reported are conversions of strings in the argument of Unmarshal of
encoding/json, xml, yaml and protobuf. Not reported: constants, and what runs once.`)

func findDecodeCopy(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		fn := u.callee(call)
		if fn == nil || fn.Pkg() == nil || fn.Name() != "Unmarshal" || len(call.Args) < 2 || u.runsOnce(cur) ||
			!isCodec(fn.Pkg().Path()) && fn.Pkg().Path() != protoPath {
			continue
		}
		if _, toString, ok := u.crosses(call.Args[0]); ok && !toString {
			u.report(call.Args[0], "all of the text is copied to be decoded: take it as bytes from where it comes")
		}
	}
}
