package walkstat

import (
	"io/fs"
	"io/ioutil"
	"os"
	"path/filepath"
	"strings"
)

func pages(root string) (out []string, err error) {
	return out, filepath.Walk(root, func(path string, info os.FileInfo, err error) error { // want `filepath.WalkDir has these from the folder`
		if err != nil {
			return err
		}
		if info != nil && !info.IsDir() && strings.HasSuffix(info.Name(), ".md") {
			out = append(out, path)
		}
		return nil
	})
}

func regular(root string) (n int) {
	filepath.Walk(root, func(_ string, info fs.FileInfo, err error) error { // want `nothing but its name and kind is used`
		if err == nil && info.Mode().IsRegular() {
			n++
		}
		return nil
	})
	return n
}

func paths(root string) (out []string) {
	filepath.Walk(root, func(path string, _ fs.FileInfo, _ error) error { // want `the system is asked about each file`
		out = append(out, path)
		return nil
	})
	return out
}

func names(dir string) (out []string, err error) {
	files, err := ioutil.ReadDir(dir) // want `os.ReadDir has these`
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		out = append(out, f.Name())
	}
	return out, nil
}

func folders(d *os.File) (n int, err error) {
	all, err := d.Readdir(-1) // want `ReadDir has these`
	for _, f := range all {
		if f.IsDir() {
			n++
		}
	}
	return n, err
}

// What follows is fine.

func size(root string) (sum int64) {
	filepath.Walk(root, func(_ string, info fs.FileInfo, err error) error {
		if err == nil {
			sum += info.Size()
		}
		return nil
	})
	return sum
}

func modes(root string) (out []fs.FileMode) {
	filepath.Walk(root, func(_ string, info fs.FileInfo, err error) error {
		out = append(out, info.Mode())
		return nil
	})
	return out
}

func given(root string, do filepath.WalkFunc) error { return filepath.Walk(root, do) }

func states(dir string) ([]fs.FileInfo, error) { return ioutil.ReadDir(dir) }

func newest(dir string) (name string) {
	files, _ := ioutil.ReadDir(dir)
	var last int64
	for _, f := range files {
		if t := f.ModTime().Unix(); t > last {
			name, last = f.Name(), t
		}
	}
	return name
}

func entries(dir string) (out []string) {
	files, _ := os.ReadDir(dir)
	for _, f := range files {
		out = append(out, f.Name())
	}
	return out
}

func initPages(root string) (n int) {
	filepath.Walk(root, func(string, fs.FileInfo, error) error { n++; return nil })
	return n
}
