package cli

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strings"

	"github.com/gocasebook/casebook/app/openfile"
	"github.com/gocasebook/casebook/app/render"
)

// secretURL returns the URL in a flag, or in the environment variable or file that it names: every user of the machine
// can read the flags of a process, and the path of a webhook is often its password.
func secretURL(value string) (string, error) {
	text, err := secretText(value)
	if err != nil {
		return "", err
	}
	return text, checkReportURL(text)
}

// secretText returns a text, or what the environment variable or file holds that it names.
func secretText(value string) (string, error) {
	text := value
	if name, ok := strings.CutPrefix(value, "env:"); ok {
		if text = strings.TrimSpace(os.Getenv(name)); text == "" {
			return "", fmt.Errorf("the variable %s is not set or is empty; it must hold the URL", render.Plain(name))
		}
	}
	if file, ok := strings.CutPrefix(value, "file:"); ok {
		data, err := openfile.ReadSmall(file)
		if err != nil {
			return "", err
		}
		if text = strings.TrimSpace(string(data)); text == "" {
			return "", fmt.Errorf("%s is empty; it must hold the URL", render.Plain(file))
		}
	}
	return text, nil
}

// checkReportURL says in a user's words what package reporter refuses. Its errors show only the host: the path of a
// webhook is often its password.
func checkReportURL(text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" {
		return errors.New("that is not a URL like https://host/path (it is not shown: parts of it may be secret)")
	}
	ip := net.ParseIP(u.Hostname())
	if u.Scheme == "http" && u.Hostname() != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("http://%s is not encrypted, and anybody on the network path could read the cases; use https",
			render.Plain(u.Host))
	}
	return nil
}

// canAppend checks that the file of --report-file can be written: now, not when the first case is lost.
func canAppend(path string) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() { // opening a pipe could block forever
		return fmt.Errorf("%s is not a regular file; name a regular file, or one that does not exist yet", path)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("%w; name a file in a folder that exists and that you may write to", err)
	}
	return f.Close()
}

// readToken reads a secret from a file: on the command line every user of the machine could read it.
func readToken(flag, file string) (string, error) {
	if file == "" {
		return "", nil
	}
	data, err := openfile.ReadSmall(file)
	if err != nil {
		return "", fmt.Errorf("its token, %s: %w", flag, err)
	}
	token := strings.TrimSpace(string(data))
	if token == "" || strings.ContainsAny(token, "\r\n\x00") {
		return "", fmt.Errorf("its token, %s: %s must hold the token on one line, and nothing else", flag, file)
	}
	return token, nil
}
