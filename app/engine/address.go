package engine

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/internal/near"
	"github.com/gocasebook/casebook/internal/redact"
)

// An Address is where an engine is, and which of its services is meant.
type Address struct {
	Engine string   // Pyroscope, Parca or Prometheus
	Base   *url.URL // http or https, with the user and password that were given
	Tenant string   // X-Scope-OrgID

	Service, Version string
	Labels           map[string]string // further ones that series must have
	ServiceLabel     string            // the label that has the service's name; "": the usual ones are tried
	Container        string            // of cAdvisor's series; "": the service's name

	Since time.Duration // how much is asked for
	Until time.Time     // its end; zero: now
	Nodes int           // of a profile, at most

	mark   string // tells the tenant from others where the address is shown; "" for none
	copied string // the mark of the address that was typed: somebody copied it
}

const example = "pyroscope://pyroscope:4040?service=shop"

// parameters of an address, and how each is read.
var parameters = map[string]func(a *Address, value string) error{
	"service":       func(a *Address, v string) error { return put(&a.Service, v) },
	"version":       func(a *Address, v string) error { return put(&a.Version, v) },
	"service-label": func(a *Address, v string) error { return putLabel(&a.ServiceLabel, v) },
	"container":     func(a *Address, v string) error { return put(&a.Container, v) },
	"tenant":        func(a *Address, v string) error { return put(&a.Tenant, v) },
	"label":         (*Address).label,
	"since":         (*Address).since,
	"until":         (*Address).until,
	"nodes":         (*Address).nodes,
}

// ParseAddress reads what people type: pyroscope://host:4040?service=shop&version=1.4.2, parca+https://…. The error
// names every parameter at fault, and shows no password.
func ParseAddress(text string) (*Address, error) { return parseAddress(text, true) }

// parseAddress does so; whoever sends to an engine needs to name no service.
func parseAddress(text string, ofService bool) (*Address, error) {
	u, err := url.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%q is not an address of an engine; want something like %s", redact.Text(text), example)
	}
	a := &Address{Since: DefaultSince, Nodes: DefaultNodes, Labels: make(map[string]string), copied: u.Fragment}
	scheme, secure := strings.CutSuffix(strings.ToLower(u.Scheme), encrypted)
	a.Engine = scheme
	if !Is(text) || u.Hostname() == "" {
		return nil, fmt.Errorf("%q names no engine and host; want something like %s", redact.Text(text), example)
	}
	a.Base = &url.URL{Scheme: "http", Host: u.Host, User: u.User, Path: strings.TrimSuffix(u.Path, "/")}
	if secure {
		a.Base.Scheme = "https"
	}
	if err := a.parameters(u.RawQuery, ofService); err != nil {
		return nil, fmt.Errorf("%s: %w", redact.Text(text), err)
	}
	if a.identify(instance.HTTPOptions{}); a.mark == "" && markForm.MatchString(a.copied) {
		a.mark = a.copied // until it is known who asks
	}
	return a, nil
}

func (a *Address) parameters(query string, ofService bool) error {
	values, err := url.ParseQuery(query)
	if err != nil {
		return errors.New("its parameters are no query of a URL: escape what is not a letter or digit, as %2C a comma")
	}
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(values)) {
		read, known := parameters[name]
		if !known {
			errs = append(errs, unknownParameter(name))
			continue
		}
		if len(values[name]) > 1 && name != "label" {
			errs = append(errs, fmt.Errorf("parameter %s is there twice", name))
		}
		for _, v := range values[name] {
			if err := read(a, v); err != nil {
				errs = append(errs, fmt.Errorf("parameter %s: %w", name, err))
			}
		}
	}
	if a.Service == "" && ofService {
		errs = append(errs, errors.New("it names no service, and never is everything asked for: add ?service=NAME"))
	}
	return errors.Join(errs...)
}

func unknownParameter(name string) error {
	all := slices.Sorted(maps.Keys(parameters))
	if meant := near.Names(name, all); len(meant) > 0 {
		return fmt.Errorf("unknown parameter %q; did you mean %s?", name, meant[0])
	}
	return fmt.Errorf("unknown parameter %q; there are %s", name, strings.Join(all, ", "))
}

// maxValue bounds the value of a label: Prometheus' servers refuse longer ones by default (Mimir: 2048).
const maxValue = 2048

func put(to *string, v string) error {
	if v == "" || len(v) > maxValue {
		return fmt.Errorf("its value has %d bytes; it must have 1 to %d", len(v), maxValue)
	}
	*to = v
	return nil
}

var labelName = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]*$`)

func putLabel(to *string, v string) error {
	if !labelName.MatchString(v) {
		return fmt.Errorf("%q is not the name of a label; these have letters, digits and _", v)
	}
	return put(to, v)
}

func (a *Address) label(v string) error {
	name, value, ok := strings.Cut(v, "=")
	if !ok || !labelName.MatchString(name) || len(value) > maxValue {
		return fmt.Errorf("%q is not name=value, such as pod=shop-1", v)
	}
	a.Labels[name] = value
	return nil
}

func (a *Address) since(v string) error {
	d, err := time.ParseDuration(v)
	if err != nil || d < minSince || d > maxSince {
		return fmt.Errorf("%q is not a duration from %s to %s, such as 5m", v, minSince, maxSince)
	}
	a.Since = d
	return nil
}

func (a *Address) until(v string) error {
	t, err := time.Parse(time.RFC3339, v)
	if err != nil {
		return fmt.Errorf("%q is not a time such as 2026-11-27T13:25:00Z", v)
	}
	a.Until = t
	return nil
}

func (a *Address) nodes(v string) error {
	n, err := strconv.Atoi(v)
	if err != nil || n < minNodes || n > maxNodes {
		return fmt.Errorf("%q is not a number from %d to %d", v, minNodes, maxNodes)
	}
	a.Nodes = n
	return nil
}

// String is the address as it may be shown: without password and tenant, and without parameters that say how much is
// asked for. Its fragment tells tenants apart.
func (a *Address) String() string {
	scheme := a.Engine
	if a.Base.Scheme == "https" {
		scheme += encrypted
	}
	q := url.Values{}
	if a.Service != "" {
		q.Set("service", a.Service)
	}
	if a.Version != "" {
		q.Set("version", a.Version)
	}
	for _, name := range slices.Sorted(maps.Keys(a.Labels)) {
		q.Add("label", name+"="+a.Labels[name])
	}
	shown := url.URL{Scheme: scheme, Host: a.Base.Host, Path: a.Base.Path, RawQuery: q.Encode(),
		Fragment: a.mark}
	return shown.String()
}

// window is what is asked for at a moment.
func (a *Address) window(now time.Time) window {
	to := a.Until
	if to.IsZero() {
		to = now
	}
	return window{to.Add(-a.Since), to}
}
