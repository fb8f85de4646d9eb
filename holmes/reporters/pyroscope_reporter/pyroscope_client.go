// Package pyroscope_reporter is the API of mosn.io/holmes/reporters/pyroscope_reporter v1.0.2: it pushes every dump of
// package holmes to a Pyroscope server, by its API for agents, POST /ingest with the profile in a form.
//
//	r, err := pyroscope_reporter.NewPyroscopeReporter("orders", map[string]string{"zone": "a"},
//		pyroscope_reporter.RemoteConfig{UpstreamAddress: "http://pyroscope:4040"}, holmes.NewStdLogger())
//	h, err := holmes.New(holmes.WithBinaryDump(), holmes.WithProfileReporter(r), …)
//
// What differs from holmes: dumps are pushed for the time that they are of, and not for the ten seconds before; of a
// heap profile only what is in use, because its allocations are those since the start of the process and would be shown
// as made in ten seconds; a config says what the values are; a text dump is an error; a request ends after a while; the
// token is not sent to another host. The subpackage flameql, a copy of a parser of Pyroscope's, is not here. The logger
// is a holmes.ErrorLogger, which every logger of mosn.io/pkg/log is.
package pyroscope_reporter //nolint:revive // the name is that of mosn.io/holmes

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/gocasebook/casebook/holmes"
	"github.com/gocasebook/casebook/internal/redirect"
)

// PyroscopeReporter pushes dumps to a Pyroscope server. Make it with NewPyroscopeReporter.
type PyroscopeReporter struct {
	AppName string // with tags, as Pyroscope writes them: orders{zone=a}
	Tags    map[string]string

	cfg    RemoteConfig
	ingest *url.URL
	client *http.Client
	Logger holmes.ErrorLogger // nil discards
}

// NewPyroscopeReporter checks the application's name, which may have tags (orders{zone=a}), the tags and the address.
func NewPyroscopeReporter(AppName string, tags map[string]string, cfg RemoteConfig,
	logger holmes.ErrorLogger) (*PyroscopeReporter, error) {
	name, err := nameOf(AppName, tags)
	if err != nil {
		return nil, err
	}
	u, err := url.Parse(cfg.UpstreamAddress)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, errors.New("pyroscope reporter: UpstreamAddress is not an http or https URL")
	}
	timeout := cfg.UpstreamRequestTimeout
	if timeout <= 0 {
		timeout = DefaultTimeout
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxConnsPerHost = max(cfg.UpstreamThreads, 0)
	return &PyroscopeReporter{
		AppName: name, Tags: tags, Logger: logger, cfg: cfg, ingest: u.JoinPath("ingest"),
		client: &http.Client{Transport: transport, Timeout: timeout, CheckRedirect: redirect.SameHost},
	}, nil
}

// Report pushes a dump.
func (r *PyroscopeReporter) Report(ptype string, _ string, _ holmes.ReasonType, _ string, sampleTime time.Time,
	pprofBytes []byte, _ holmes.Scene) error {
	p, err := prepare(pprofBytes, sampleTime)
	if err != nil {
		return err
	}
	job := UploadJob{
		Name: r.AppName, StartTime: p.from, EndTime: p.until, SpyName: "gospy", SampleRate: p.rate, Units: "samples",
		AggregationType: "sum", Format: Pprof, Profile: p.data,
	}
	if r.Logger != nil {
		r.Logger.Debugf("pyroscope reporter: a %s profile of %d bytes to %s", ptype, len(p.data), r.ingest.Redacted())
	}
	return r.upload(&job, p.config)
}

func (r *PyroscopeReporter) upload(j *UploadJob, config map[string]valueConfig) error {
	body, contentType, err := form(j, config)
	if err != nil {
		return err
	}
	to := *r.ingest
	to.RawQuery = query(to.Query(), j).Encode()
	req, err := http.NewRequest(http.MethodPost, to.String(), body) //nolint:noctx // the client has a timeout
	if err != nil {
		return fmt.Errorf("pyroscope reporter: making a request: %w", err)
	}
	req.Header.Set("Content-Type", contentType)
	if r.cfg.AuthToken != "" {
		req.Header.Set("Authorization", "Bearer "+r.cfg.AuthToken)
	}
	resp, err := r.client.Do(req)
	if err != nil {
		return fmt.Errorf("pyroscope reporter: %w", err)
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(resp.Body, 500)) // what it says; an error of reading changes nothing
	switch resp.StatusCode {
	case http.StatusOK, http.StatusNoContent:
		return nil
	case http.StatusUnauthorized:
		return fmt.Errorf("%w (%s)", ErrCloudTokenRequired, resp.Status)
	case http.StatusUnprocessableEntity:
		return fmt.Errorf("%w: %q", ErrUpgradeServer, text)
	}
	return fmt.Errorf("%w: %s, %q", ErrUpload, resp.Status, text)
}

// query adds what Pyroscope's ingest API wants to know of a profile. "format" stays out of it: with format=pprof the
// body would have to be the profile itself (grafana/pyroscope, pkg/ingester/pyroscope/ingest_handler.go).
func query(q url.Values, j *UploadJob) url.Values {
	for name, value := range map[string]string{
		"name": j.Name, "spyName": j.SpyName, "units": j.Units, "aggregationType": j.AggregationType,
		"from":       strconv.FormatInt(j.StartTime.Unix(), 10),
		"until":      strconv.FormatInt(j.EndTime.Unix(), 10),
		"sampleRate": strconv.FormatUint(uint64(j.SampleRate), 10),
	} {
		q.Set(name, value)
	}
	return q
}

// form is the body: the profile, and what its values are.
func form(j *UploadJob, config map[string]valueConfig) (body *bytes.Buffer, contentType string, err error) {
	body = new(bytes.Buffer)
	w := multipart.NewWriter(body)
	add := func(field, file string, data []byte) {
		part, bad := w.CreateFormFile(field, file)
		if bad == nil {
			_, bad = part.Write(data)
		}
		err = errors.Join(err, bad)
	}
	add("profile", "profile.pprof", j.Profile)
	if j.PrevProfile != nil {
		add("prev_profile", "profile.pprof", j.PrevProfile)
	}
	values, bad := json.Marshal(config)
	add("sample_type_config", "sample_type_config.json", values)
	if err = errors.Join(err, bad, w.Close()); err != nil {
		return nil, "", fmt.Errorf("pyroscope reporter: making the form: %w", err)
	}
	return body, w.FormDataContentType(), nil
}
