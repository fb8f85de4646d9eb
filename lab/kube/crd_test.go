package kube

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// operator is the module with the types of the Prometheus operator, which makes its definitions of resources from them.
const operator = "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring@v0.95.2"

// podMonitors makes the API server know PodMonitor: with the fields that the operator's types have, and no others. The
// types are read and not compiled, because they need newer modules than the API server.
func (c *cluster) podMonitors(t *testing.T) {
	t.Helper()
	spec := typesOf(t, operator, "v1").schema(ast.NewIdent("PodMonitorSpec"))
	if fields, _ := spec["properties"].(object); fields["podMetricsEndpoints"] == nil {
		t.Fatalf("the operator's PodMonitor is %v", spec)
	}
	const group, plural = "monitoring.coreos.com", "podmonitors"
	c.apply(t, []object{{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": object{"name": plural + "." + group},
		"spec": object{"group": group, "scope": "Namespaced",
			"names": object{"kind": "PodMonitor", "listKind": "PodMonitorList", "plural": plural, "singular": "podmonitor"},
			"versions": []any{object{"name": "v1", "served": true, "storage": true,
				"schema": object{"openAPIV3Schema": object{"type": "object", "properties": object{"spec": spec}}}}}}}})
	for late := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		code, text, err := c.as(c.Token, http.MethodGet, "/apis/"+group+"/v1/"+plural, nil)
		if err == nil && code == http.StatusOK {
			return
		}
		if time.Now().After(late) {
			t.Fatalf("pod monitors: %d %s %v", code, text, err)
		}
	}
}

// types are the types of a package by name, as they are written.
type types map[string]ast.Expr

func typesOf(t *testing.T, module, folder string) types {
	t.Helper()
	cmd := exec.Command("go", "mod", "download", "-json", module)
	cmd.Dir, cmd.Env = t.TempDir(), append(os.Environ(), "GOWORK=off")
	out, err := cmd.Output()
	var got struct{ Dir, Error string }
	if e := json.Unmarshal(out, &got); err != nil || e != nil {
		t.Fatal(err, e, got.Error)
	}
	files, err := filepath.Glob(filepath.Join(got.Dir, folder, "*_types.go"))
	if err != nil || len(files) == 0 {
		t.Fatal("there are no types: ", err)
	}
	all := make(types)
	for _, file := range append(files, filepath.Join(got.Dir, folder, "types.go"),
		filepath.Join(got.Dir, folder, "http_config.go")) {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE {
				for _, s := range g.Specs {
					one := s.(*ast.TypeSpec)
					all[one.Name.Name] = one.Type
				}
			}
		}
	}
	return all
}

var scalars = map[string]string{"string": "string", "bool": "boolean", "int": "integer", "int32": "integer",
	"int64": "integer", "uint64": "integer"}

// schema is a type's in OpenAPI. Types of other packages may hold anything.
func (all types) schema(of ast.Expr) object {
	switch of := of.(type) {
	case *ast.StarExpr:
		return all.schema(of.X)
	case *ast.ArrayType:
		return object{"type": "array", "items": all.schema(of.Elt)}
	case *ast.MapType:
		return object{"type": "object", "additionalProperties": all.schema(of.Value)}
	case *ast.StructType:
		fields := object{}
		all.fields(of, fields)
		return object{"type": "object", "properties": fields}
	case *ast.Ident:
		if kind := scalars[of.Name]; kind != "" {
			return object{"type": kind}
		}
		if named := all[of.Name]; named != nil {
			return all.schema(named)
		}
	}
	return object{"x-kubernetes-preserve-unknown-fields": true}
}

// fields puts the fields of a struct, and of those that it embeds, where they belong.
func (all types) fields(of *ast.StructType, to object) {
	for _, f := range of.Fields.List {
		if f.Tag == nil {
			continue
		}
		tag := reflect.StructTag(strings.Trim(f.Tag.Value, "`")).Get("json")
		name, option, _ := strings.Cut(tag, ",")
		switch {
		case option == "inline":
			if s, ok := all.embedded(f.Type); ok {
				all.fields(s, to)
			}
		case name != "" && name != "-":
			to[name] = all.schema(f.Type)
		}
	}
}

func (all types) embedded(of ast.Expr) (s *ast.StructType, ok bool) {
	if p, pointer := of.(*ast.StarExpr); pointer {
		of = p.X
	}
	if id, named := of.(*ast.Ident); named {
		of = all[id.Name]
	}
	s, ok = of.(*ast.StructType)
	return s, ok
}
