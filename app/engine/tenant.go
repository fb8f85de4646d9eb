package engine

import (
	"bufio"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"maps"
	"net/http"
	"os"
	"regexp"
	"strings"

	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/internal/plain"
)

// tenantHeader is how Grafana's engines are told whose data is meant.
const tenantHeader = "X-Scope-OrgID"

// own are the credentials for the requests of one address. What the address says itself, its tenant and its user, is
// sent in place of what the options say: these may be of several addresses on one host.
func (a *Address) own(o instance.HTTPOptions) instance.HTTPOptions {
	header := make(http.Header)
	for name, values := range o.Header {
		header[http.CanonicalHeaderKey(name)] = values
	}
	if a.Tenant != "" {
		header.Set(tenantHeader, a.Tenant)
	}
	if u := a.Base.User; u != nil {
		password, _ := u.Password()
		header.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(u.Username()+":"+password)))
		o.BearerFile = ""
	}
	o.Header = header
	return o
}

// tenantMark begins the fragment of an address that tells tenants apart.
const tenantMark = "tenant-"

var markForm = regexp.MustCompile("^" + tenantMark + "[0-9a-f]{8}$")

// identify gives the address the mark of the tenant that is asked for: two tenants of one host have a service of the
// same name as likely as not, and what is kept under an address must not be mixed up. The name of a tenant is often all
// that protects its data, so that the mark is the beginning of a hash. Without a tenant the user's name counts, by
// which gateways choose one; tokens do not count, because they change.
func (a *Address) identify(o instance.HTTPOptions) {
	header := make(http.Header)
	if o.HeaderFile != "" {
		header = headersOf(o.HeaderFile)
	}
	maps.Copy(header, a.own(o).Header)
	who := header.Get(tenantHeader)
	if who == "" {
		who, _, _ = (&http.Request{Header: header}).BasicAuth()
	}
	a.mark = ""
	if who != "" {
		sum := sha256.Sum256([]byte(who))
		a.mark = tenantMark + hex.EncodeToString(sum[:4])
	}
}

// headersOf reads a file of headers. What cannot be read is reported by instance.HTTPOptions.Check.
func headersOf(path string) http.Header {
	header := make(http.Header)
	f, err := os.Open(path)
	if err != nil {
		return header
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if name, value, err := instance.ParseHeader(lines.Text()); err == nil {
			header.Add(name, value)
		}
	}
	return header
}

// checkMark refuses an address that was copied from a case or a page and would ask for another tenant's data.
func (a *Address) checkMark() error {
	if !strings.HasPrefix(a.copied, tenantMark) || a.copied == a.mark {
		return nil
	}
	const length = len(tenantMark) + 8 // a parameter may have been written behind it
	return fmt.Errorf("%s: the address was copied from a tenant's, #%s, and this would ask for another one: put "+
		"tenant=NAME before the #, or give its credentials", a, plain.Text(a.copied[:min(len(a.copied), length)]))
}

// Shown is an address as it may be shown, and as it tells its tenant from others on the host.
func Shown(address string, access instance.HTTPOptions) (string, error) {
	a, err := parseAddress(address, false)
	if err != nil {
		return "", err
	}
	a.identify(access)
	return a.String(), nil
}

// Same reports whether two addresses are of one server, and of one tenant of it when both are asked with the same
// credentials.
func Same(address, other string, access instance.HTTPOptions) (server, tenant bool) {
	a, err := parseAddress(address, false)
	if err != nil {
		return false, false
	}
	b, err := parseAddress(other, false)
	if err != nil || a.Base.Host != b.Base.Host || a.Base.Scheme != b.Base.Scheme {
		return false, false
	}
	a.identify(access)
	b.identify(access)
	return true, a.mark == b.mark
}
