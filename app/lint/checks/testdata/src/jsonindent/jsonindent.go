package jsonindent

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
)

type list struct{ Names []string }

func get(w http.ResponseWriter, r *http.Request) {
	data, err := json.MarshalIndent(list{}, "", "  ") // want `indent only for who asks`
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Write(data)
}

func all(w http.ResponseWriter, l []list) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "\t") // want `indent only for who asks`
	return enc.Encode(l)
}

func each(w http.ResponseWriter, l []list) {
	e := json.NewEncoder(w)
	e.SetIndent("  ", "  ") // want `indent only for who asks`
	for i := range l {
		e.Encode(&l[i])
	}
}

func text(v any) string {
	b, _ := json.MarshalIndent(v, "", " ") // want `indent only for who asks`
	return string(b)
}

func save(name string, v any) error {
	b, err := json.MarshalIndent(v, "", "\t") // want `indent only for who asks`
	if err != nil {
		return err
	}
	return os.WriteFile(name, b, 0o600)
}

// What follows is fine.

func asked(w http.ResponseWriter, r *http.Request, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", r.FormValue("indent"))
	return enc.Encode(v)
}

func plain(v any) ([]byte, error) { return json.Marshal(v) }

func escaped(w http.ResponseWriter, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

func compact(b []byte) []byte {
	var out bytes.Buffer
	json.Compact(&out, b)
	return out.Bytes()
}

func printConfig(v any) string {
	b, _ := json.MarshalIndent(v, "", "  ")
	return string(b)
}
