package assess

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gocasebook/casebook/app/compare"
	"github.com/gocasebook/casebook/app/openfile"
	"github.com/gocasebook/casebook/vitals"
)

// A comparedInput is one argument.
type comparedInput struct {
	label, path string
	kind        compare.Kind
	data        []byte // nil for a folder
}

func readCompared(stdin io.Reader, args []string) ([]comparedInput, error) {
	var out []comparedInput
	count := make(map[string]int)
	for _, arg := range args {
		in, err := readInput(stdin, arg)
		if err != nil {
			return nil, err
		}
		if n := count[in.label]; n > 0 && in.label == in.path { // the same file twice would be one column
			in.label += "#" + strconv.Itoa(n)
		}
		count[in.path]++
		out = append(out, in)
	}
	for _, in := range out[1:] {
		if in.kind != out[0].kind {
			return nil, fmt.Errorf("%s is %s, %s is %s: only inputs of the same kind can be compared",
				out[0].path, kindText(out[0].kind), in.path, kindText(in.kind))
		}
	}
	if len(out) > 2 && out[0].kind != compare.Benchmarks || len(out) == 1 && out[0].kind != compare.Benchmarks {
		return nil, fmt.Errorf("%d inputs of %s: name two, the old one first", len(out), kindText(out[0].kind))
	}
	return out, nil
}

func kindText(k compare.Kind) string {
	return map[compare.Kind]string{compare.Benchmarks: "benchmark output", compare.Load: "a result of casebook load",
		compare.Proof: "a proof", compare.Evidence: "evidence"}[k]
}

// readInput reads one argument. If no file has the whole name, it may be label=FILE.
func readInput(stdin io.Reader, arg string) (comparedInput, error) {
	in := comparedInput{label: arg, path: arg}
	info, err := os.Stat(arg)
	if err != nil {
		if label, path, ok := strings.Cut(arg, "="); ok {
			in.label, in.path = label, path
			info, err = os.Stat(path)
		}
	}
	switch {
	case in.path == "-":
		in.data, err = readAtMost(stdin, "standard input")
	case err != nil:
		return in, fmt.Errorf("%s: no such file or folder; compare needs two that exist, the old one first", in.path)
	case info.IsDir() && HasProof(in.path):
		in.data, err = readNamed(filepath.Join(in.path, ProofName))
	case info.IsDir():
		in.kind = compare.Evidence
		return in, nil
	default:
		in.data, err = readNamed(in.path)
	}
	if err != nil {
		return in, err
	}
	if in.kind, err = compare.KindOf(in.data[:min(len(in.data), compare.Sniffed)]); err != nil {
		return in, fmt.Errorf("%s: %w", in.path, err)
	}
	return in, nil
}

func readNamed(path string) ([]byte, error) {
	r, err := openfile.Open(path)
	if err != nil {
		return nil, fmt.Errorf("reading an input: %w", err)
	}
	defer r.Close() // it was only read
	return readAtMost(r, path)
}

func readAtMost(r io.Reader, name string) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("reading %s: %w", name, err)
	case len(data) > maxFile:
		return nil, fmt.Errorf("%s is larger than %s; compare fewer results at a time", name,
			vitals.Bytes.Format(maxFile))
	}
	return data, nil
}
