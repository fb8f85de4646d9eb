package rewrite

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gocasebook/casebook/app/syntax"
)

// cachePath is the package that keeps entries where the collector does not look.
const cachePath = "github.com/gocasebook/casebook/remedy/cache"

// A cacheLibrary is a cache of pointers, whose methods remedy/cache has by other names.
type cacheLibrary struct {
	path, typ string
	generic   bool              // its keys and values have types
	key       types.Type        // of one that is not; nil: any
	methods   map[string]string // ours by theirs; those with a form of their own are in cacheMove.method
}

// cacheLibraries are those whose API maps. ristretto is none: its room is in costs that only its user knows.
func cacheLibraries() []cacheLibrary {
	return []cacheLibrary{
		{path: "github.com/hashicorp/golang-lru/v2", typ: "Cache", generic: true,
			methods: map[string]string{"Get": "Get", "Add": "Set", "Remove": "Delete", "Len": "Len", "Purge": "Clear"}},
		{path: "github.com/hashicorp/golang-lru/v2/expirable", typ: "LRU", generic: true,
			methods: map[string]string{"Get": "Get", "Add": "Set", "Remove": "Delete", "Len": "Len", "Purge": "Clear"}},
		{path: "github.com/patrickmn/go-cache", typ: "Cache", key: types.Typ[types.String],
			methods: map[string]string{"Get": "Get", "Set": "Set", "SetDefault": "Set", "Delete": "Delete",
				"ItemCount": "Len", "Flush": "Clear"}},
		{path: "github.com/bluele/gcache", typ: "Cache",
			methods: map[string]string{"Get": "Get", "GetIFPresent": "Get", "Set": "Set", "SetWithExpire": "SetTTL",
				"Remove": "Delete", "Len": "Len", "Purge": "Clear"}},
	}
}

// remedyCache moves all of a package from a cache library to remedy/cache. It is all or nothing: a cache is a type, and
// its fields, variables and calls have it together.
func remedyCache(u *Unit) (out changes) {
	for _, lib := range cacheLibraries() {
		m := cacheMove{Unit: u, lib: lib}
		if !m.imported() {
			continue
		}
		if why := m.look(); why != "" {
			out.add(u.refuse(m.first, why))
			continue
		}
		out.add(m.c)
	}
	return out
}

// A cacheMove is a package on its way.
type cacheMove struct {
	*Unit
	lib   cacheLibrary
	specs []*ast.ImportSpec
	first ast.Node // mention of the library
	pkg   string   // how remedy/cache is called

	key, value types.Type // of a library without types
	helper     string     // the function that New's error ends in; "" if none is needed
	c          *Change
}

// imported finds the import and the first mention of the library.
func (m *cacheMove) imported() bool {
	for _, f := range m.Files {
		for _, s := range f.Imports {
			if p, err := strconv.Unquote(s.Path.Value); err == nil && p == m.lib.path {
				m.specs = append(m.specs, s)
			}
		}
	}
	for _, sel := range each[*ast.SelectorExpr](m.Unit) {
		if m.first == nil && m.ofLibrary(sel) {
			m.first = sel
		}
	}
	return len(m.specs) > 0 && m.first != nil
}

// ofLibrary reports whether a selector is lru.Something.
func (m *cacheMove) ofLibrary(sel *ast.SelectorExpr) bool {
	id, ok := sel.X.(*ast.Ident)
	if !ok {
		return false
	}
	p, ok := m.Info.Uses[id].(*types.PkgName)
	return ok && p.Imported().Path() == m.lib.path
}

func (m *cacheMove) isCache(t types.Type) bool { return isNamed(t, m.lib.path, m.lib.typ) }

// look goes through everything that the package does with the library.
func (m *cacheMove) look() (why string) {
	m.pkg = "cache"
	for _, s := range m.specs { // the name is free where the library has it
		if free := s.Name != nil && s.Name.Name == "cache" || s.Name == nil && lastName(m.lib.path) == "go-cache"; !free &&
			m.Unit.pkg(s, cachePath) != "cache" {
			m.pkg = "remedycache"
		}
	}
	if m.Pkg.Scope().Lookup(m.pkg) != nil || slices.ContainsFunc(m.specs, func(s *ast.ImportSpec) bool {
		return m.name(s, cachePath) != ""
	}) {
		return "the name " + m.pkg + " is taken, or a file has both caches"
	}
	if !m.lib.generic {
		if why := m.infer(); why != "" {
			return why
		}
	}
	m.c = m.change(m.first, "keep the entries in remedy/cache, where the collector does not look")
	for cur, sel := range each[*ast.SelectorExpr](m.Unit) {
		if m.ofLibrary(sel) {
			why = m.mention(cur, sel)
		} else if m.isCache(m.Info.TypeOf(sel.X)) {
			why = m.method(cur, sel)
		}
		if why != "" {
			return why
		}
	}
	for _, s := range m.specs {
		name := ""
		if m.pkg != "cache" {
			name = m.pkg + " "
		}
		m.c.replace(s.Pos(), s.End(), name+strconv.Quote(cachePath))
	}
	if m.helper != "" {
		m.c.insert(m.file(m.first.Pos()).FileEnd, strings.NewReplacer("HELPER", m.helper, "PKG", m.pkg).Replace(`
// HELPER panics at a Config that is wrong: PKG.New has no other error.
func HELPER[K, V any](c *PKG.Cache[K, V], err error) *PKG.Cache[K, V] {
	if err != nil {
		panic(err)
	}
	return c
}
`))
	}
	return ""
}

// infer finds the types of a library that keeps any: what is set must have one, and what is got be asserted to be that.
func (m *cacheMove) infer() string {
	m.key = m.lib.key
	one := func(have *types.Type, e ast.Expr, what string) string {
		t := types.Default(m.Info.TypeOf(e))
		if *have != nil && !types.Identical(*have, t) {
			return fmt.Sprintf("its %s have several types: %s and %s", what, m.shown(*have), m.shown(t))
		}
		*have = t
		return ""
	}
	for _, call := range each[*ast.CallExpr](m.Unit) {
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || !m.isCache(m.Info.TypeOf(sel.X)) || len(call.Args) == 0 {
			continue
		}
		switch m.lib.methods[sel.Sel.Name] {
		case "Set", "SetTTL":
			if why := one(&m.value, call.Args[1], "values"); why != "" {
				return why
			}
			fallthrough
		case "Get", "Delete":
			if why := one(&m.key, call.Args[0], "keys"); m.lib.key == nil && why != "" {
				return why
			}
		}
	}
	if m.value == nil || m.key == nil {
		return "nothing is put into it here: what it keeps is not known"
	}
	return m.plain(m.key, m.value)
}

func (m *cacheMove) shown(t types.Type) string { return types.TypeString(t, (*types.Package).Name) }

// plain says why keys and values are not kept as bytes without a codec, or not the same when they come back as a copy.
func (m *cacheMove) plain(key, value types.Type) string {
	if !isText(key) && !isFlat(key, true) {
		return "its keys are of " + m.shown(key) + ", which are kept by pointers"
	}
	if !isText(value) && !isFlat(value, false) {
		return "its values are of " + m.shown(value) + ", which are kept by pointers: a cache of bytes gives copies"
	}
	return ""
}

func isText(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// isFlat reports whether a type is its own bytes, as remedy/cache has it (form.go): for keys without structs, whose
// padding decides.
func isFlat(t types.Type, key bool) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		info := t.Info()
		return info&(types.IsBoolean|types.IsInteger) != 0 || !key && info&(types.IsFloat|types.IsComplex) != 0
	case *types.Array:
		return isFlat(t.Elem(), key)
	case *types.Struct:
		fields := slices.Collect(t.Fields())
		return !key && !slices.ContainsFunc(fields, func(f *types.Var) bool { return !isFlat(f.Type(), key) })
	}
	return false
}

// mention changes a name of the library: its type, or what makes one.
func (m *cacheMove) mention(cur inspector.Cursor, sel *ast.SelectorExpr) string {
	m.c.cures(sel)
	if tn, ok := m.Info.Uses[sel.Sel].(*types.TypeName); ok && tn.Name() == m.lib.typ {
		return m.named(cur, sel)
	}
	call, isCall := cur.Parent().Node().(*ast.CallExpr)
	if index, ok := cur.Parent().Node().(*ast.IndexListExpr); ok && index.X == sel { // New[string, int](n)
		call, isCall = cur.Parent().Parent().Node().(*ast.CallExpr)
	}
	switch {
	case sel.Sel.Name == "DefaultExpiration" || sel.Sel.Name == "NoExpiration":
		if v := m.Info.Types[sel].Value; v == nil || !m.argument(cur) {
			return "it uses " + m.text(sel)
		}
		return "" // the call of Set takes it out
	case !isCall || sel.Sel.Name != "New" && sel.Sel.Name != "NewLRU":
		return "it uses " + m.text(sel) + ", which remedy/cache has not"
	case m.lib.path == "github.com/bluele/gcache":
		return m.built(cur, call)
	}
	return m.madeBy(cur, call)
}

// argument reports whether an expression is one of a Set or of New.
func (m *cacheMove) argument(cur inspector.Cursor) bool {
	call, ok := cur.Parent().Node().(*ast.CallExpr)
	if !ok || cur.ParentEdgeKind() != edge.CallExpr_Args {
		return false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	return ok && (m.ofLibrary(sel) || m.isCache(m.Info.TypeOf(sel.X)))
}

// named changes the type's name.
func (m *cacheMove) named(cur inspector.Cursor, sel *ast.SelectorExpr) string {
	if m.lib.generic {
		e, ok := cur.Parent().Node().(*ast.IndexListExpr)
		if !ok {
			return "its type is used without the types of its keys and values"
		}
		if _, why := m.argsOf(e, m.Info.TypeOf(e)); why != "" {
			return why
		}
		if _, pointer := cur.Parent().Parent().Node().(*ast.StarExpr); !pointer {
			return "a cache is kept as a value, which remedy/cache's must not be copied as"
		}
		m.c.replace(sel.Pos(), sel.End(), m.pkg+".Cache")
		return ""
	}
	of, why := m.typeArgs(sel, m.key, m.value)
	if why != "" {
		return why
	}
	star := "*"
	if _, pointer := cur.Parent().Node().(*ast.StarExpr); pointer {
		star = ""
	} else if m.lib.path != "github.com/bluele/gcache" {
		return "a cache is kept as a value, which remedy/cache's must not be copied as"
	}
	m.c.replace(sel.Pos(), sel.End(), star+m.pkg+".Cache"+of)
	return ""
}

// argsOf are [K, V] of a cache as the file of a node writes them: those of its type, or what the package puts into it.
func (m *cacheMove) argsOf(at ast.Node, t types.Type) (text, why string) {
	if !m.lib.generic {
		return m.typeArgs(at, m.key, m.value)
	}
	n, ok := types.Unalias(syntax.Deref(t)).(*types.Named)
	if !ok || n.TypeArgs().Len() != 2 {
		return "", "its type is used without the types of its keys and values"
	}
	key, value := n.TypeArgs().At(0), n.TypeArgs().At(1)
	if why := m.plain(key, value); why != "" {
		return "", why
	}
	return m.typeArgs(at, key, value)
}

func (m *cacheMove) typeArgs(at ast.Node, k, v types.Type) (text, why string) {
	key, value := m.typeText(at, k), m.typeText(at, v)
	if key == "" || value == "" {
		return "", "a file that has the cache cannot name the types that it keeps"
	}
	return "[" + key + ", " + value + "]", ""
}

// room is the configuration of so many entries: 128 bytes each on average, or the default if that is more.
func (m *cacheMove) room(n ast.Expr) string {
	text := m.text(n)
	if v := m.Info.Types[n].Value; v != nil {
		if i, ok := constant.Int64Val(constant.ToInt(v)); ok && i*128 <= 64<<20 {
			return "MaxEntries: " + text
		}
	}
	return "MaxEntries: " + text + ", MaxBytes: max(" + m.pkg + ".DefaultMaxBytes, 128*int64(" + text + "))"
}

// once is the name of the function that takes New's error.
func (m *cacheMove) once() string {
	if m.helper == "" {
		m.helper = m.fresh("mustCache")
	}
	return m.helper
}

// madeBy changes a call that makes a cache.
func (m *cacheMove) madeBy(cur inspector.Cursor, call *ast.CallExpr) string {
	t := m.Info.TypeOf(call)
	if tuple, ok := t.(*types.Tuple); ok {
		t = tuple.At(0).Type()
	}
	of, why := m.argsOf(call, t)
	if why != "" {
		return why
	}
	config := ""
	switch {
	case m.lib.typ == "LRU":
		if !m.IsNil(call.Args[1]) {
			return "what leaves it is reported to a function"
		}
		config = m.lifetime(call.Args[2])
		if v := m.Info.Types[call.Args[0]].Value; v == nil || constant.Sign(v) != 0 { // 0 is any number
			config = strings.TrimSuffix(m.room(call.Args[0])+", "+config, ", ")
		}
	case m.lib.generic:
		config = m.room(call.Args[0])
	default: // go-cache: lifetime, and how often those that ended are removed, which remedy/cache does by itself
		config = m.lifetime(call.Args[0])
	}
	text := m.pkg + ".New(" + m.pkg + ".Config" + of + "{" + inLines(config) + "})"
	if _, pair := m.Info.TypeOf(call).(*types.Tuple); !pair {
		text = m.once() + "(" + text + ")"
	}
	m.c.replace(call.Pos(), call.End(), text)
	return ""
}

// inLines puts the fields of a configuration on lines of their own, where one would be long.
func inLines(config string) string {
	if len(config) < 60 {
		return config
	}
	return "\n" + strings.NewReplacer(", MaxBytes", ",\nMaxBytes", ", TTL", ",\nTTL").Replace(config) + ",\n"
}

// lifetime is a field of the configuration, nothing for a constant that means none.
func (m *cacheMove) lifetime(ttl ast.Expr) string {
	if v := m.Info.Types[ttl].Value; v != nil && constant.Sign(v) <= 0 {
		return ""
	}
	return "TTL: " + m.text(ttl)
}

// built changes gcache.New(n).LRU().Expiration(ttl).Build().
func (m *cacheMove) built(cur inspector.Cursor, call *ast.CallExpr) string {
	config := m.room(call.Args[0])
	whole := cur.Parent()
	for {
		sel, ok := whole.Parent().Node().(*ast.SelectorExpr)
		next, isCall := whole.Parent().Parent().Node().(*ast.CallExpr)
		if !ok || !isCall || next.Fun != sel {
			return "it is not built where it is described"
		}
		whole = whole.Parent().Parent()
		switch sel.Sel.Name {
		case "LRU", "LFU", "ARC", "Simple":
		case "Expiration":
			config += ", " + m.lifetime(next.Args[0])
		case "Build":
			of, why := m.typeArgs(call, m.key, m.value)
			if why != "" {
				return why
			}
			m.c.replace(whole.Node().Pos(), whole.Node().End(), m.once()+"("+m.pkg+".New("+m.pkg+".Config"+of+"{"+
				inLines(strings.TrimSuffix(config, ", "))+"}))")
			return ""
		default:
			return "it is built with " + sel.Sel.Name + ", which remedy/cache has in another form"
		}
	}
}

// method changes a call of a cache's method.
func (m *cacheMove) method(cur inspector.Cursor, sel *ast.SelectorExpr) string {
	call, ok := cur.Parent().Node().(*ast.CallExpr)
	ours := m.lib.methods[sel.Sel.Name]
	if !ok || cur.ParentEdgeKind() != edge.CallExpr_Fun || ours == "" {
		return "it uses " + sel.Sel.Name + ", which remedy/cache has not"
	}
	m.c.cures(call)
	_, alone := cur.Parent().Parent().Node().(*ast.ExprStmt)
	switch {
	case ours == "Get" && !m.lib.generic:
		return m.got(cur.Parent(), call, sel)
	case ours == "Set" && m.lib.path == "github.com/patrickmn/go-cache":
		return m.setFor(call, sel)
	case ours == "Set" && m.lib.generic && !alone:
		return "it uses what Add answers: whether another entry had to go"
	case ours == "Set" && m.lib.generic:
		m.c.insert(call.Pos(), "_ = ") // too large an entry is not kept
	case ours == "Len" && len(call.Args) > 0:
		m.c.replace(call.Lparen+1, call.Rparen, "")
	}
	if ours != sel.Sel.Name {
		m.c.replace(sel.Sel.Pos(), sel.Sel.End(), ours)
	}
	return ""
}

// setFor changes go-cache's Set, which has the lifetime as its last argument.
func (m *cacheMove) setFor(call *ast.CallExpr, sel *ast.SelectorExpr) string {
	m.c.insert(call.Pos(), "_ = ") // too large an entry is not kept
	if len(call.Args) == 2 {
		m.c.replace(sel.Sel.Pos(), sel.Sel.End(), "Set")
		return ""
	}
	ttl := call.Args[2]
	v := m.Info.Types[ttl].Value
	switch {
	case v == nil && !isPath(ttl):
		return "a lifetime is worked out where it is set"
	case v != nil && constant.Sign(v) == 0:
		m.c.replace(call.Args[1].End(), call.Rparen, "")
		return ""
	case v != nil && constant.Sign(v) < 0:
		m.c.replace(ttl.Pos(), ttl.End(), m.pkg+".NoTTL")
	}
	m.c.replace(sel.Sel.Pos(), sel.Sel.End(), "SetTTL")
	return ""
}

// got changes what is done with the answer of a library that keeps any.
func (m *cacheMove) got(cur inspector.Cursor, call *ast.CallExpr, sel *ast.SelectorExpr) string {
	a, ok := cur.Parent().Node().(*ast.AssignStmt)
	if !ok || len(a.Lhs) != 2 || a.Tok != token.DEFINE {
		return "what Get answers is not given to two new variables"
	}
	f, ok := function(cur)
	if !ok {
		return "Get is called outside of a function"
	}
	if sel.Sel.Name != "Get" {
		m.c.replace(sel.Sel.Pos(), sel.Sel.End(), "Get")
	}
	if id := a.Lhs[0].(*ast.Ident); id.Name != "_" {
		if m.Info.Defs[id] == nil {
			return "what Get answers goes to a variable of another type"
		}
		if why := m.asserted(f, m.Info.Defs[id]); why != "" {
			return why
		}
	}
	if id := a.Lhs[1].(*ast.Ident); id.Name != "_" && m.lib.path == "github.com/bluele/gcache" {
		return m.foundBy(cur.Parent(), f, id)
	}
	return ""
}

// asserted takes out the assertions of a value's type.
func (m *cacheMove) asserted(f inspector.Cursor, v types.Object) string {
	for _, use := range m.Uses(f, v) {
		is, ok := use.Parent().Node().(*ast.TypeAssertExpr)
		if !ok {
			continue
		}
		if is.Type == nil || !types.Identical(m.Info.TypeOf(is.Type), m.value) {
			return "a value may be of several types"
		}
		text := v.Name()
		if pair, ok := use.Parent().Parent().Node().(*ast.AssignStmt); ok && len(pair.Lhs) == 2 && len(pair.Rhs) == 1 {
			text += ", true"
		}
		m.c.replace(is.Pos(), is.End(), text)
	}
	return ""
}

// foundBy makes the error of a Get a bool, up to the next statement that gives the error's name something else.
func (m *cacheMove) foundBy(assign, f inspector.Cursor, id *ast.Ident) string {
	err := m.Info.Defs[id]
	if err == nil {
		return "the error of Get goes to a variable that has others, too"
	}
	until := m.file(id.Pos()).FileEnd
	for s, ok := assign.NextSibling(); ok; s, ok = s.NextSibling() {
		if next, is := s.Node().(*ast.AssignStmt); is && slices.ContainsFunc(next.Lhs, func(e ast.Expr) bool {
			return m.IsUse(e, err)
		}) {
			if next.Tok != token.DEFINE {
				return "the error of Get goes to a variable that has others, too"
			}
			until = next.Pos()
			break
		}
	}
	name := m.freshIn(f, "found")
	m.c.replace(id.Pos(), id.End(), name)
	for _, use := range m.Uses(f, err) {
		if use.Node().Pos() >= until {
			break
		}
		b, ok := use.Parent().Node().(*ast.BinaryExpr)
		switch {
		case ok && b.Op == token.NEQ && m.IsNil(b.Y):
			m.c.replace(b.Pos(), b.End(), "!"+name)
		case ok && b.Op == token.EQL && m.IsNil(b.Y):
			m.c.replace(b.Pos(), b.End(), name)
		default:
			return "the error of Get is used for more than whether the key is there"
		}
	}
	return ""
}
