// Package server is `casebook serve`: cases over HTTP, for people and for programs.
//
// The problem: evidence of incidents is read by people who are not where it was taken, and comes from watches on many
// machines. It is sensitive (function names, URLs, labels) and hostile (it comes from other processes). The approach:
// one http.Handler over a Shelf (a folder of cases, read-only) or a Store (what a team shares). Every request passes the
// gate (access.go) first: its Host must be one of ours, a browser's request that changes something must come from our
// own pages, and it brings a token of a role, or the cookie of a browser that opened the link of a Desk. What is sent
// is checked before it is kept, and an upload is acknowledged when it is durable.
//
// The limits: one gate for all cases; who may read, may read all of them.
package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"runtime"
	"sync"
	"time"

	"github.com/gocasebook/casebook/app/access"
	"github.com/gocasebook/casebook/app/fleet"
	"github.com/gocasebook/casebook/app/store"
	"github.com/gocasebook/casebook/casefile"
)

// Cases is what can be read: a store.Shelf or a store.Store.
type Cases interface {
	List(ctx context.Context, f store.Filter) (store.Page, error)
	Services(ctx context.Context) ([]store.Service, error)
	Activity(ctx context.Context) ([]store.Activity, error)
	Groups(ctx context.Context, f store.GroupFilter) (store.Groups, error)
	Occurrences(ctx context.Context, keys []store.GroupKey) ([][]store.Occurrence, error)
	Course(ctx context.Context, f store.Filter, span store.Span) ([]store.Bar, error)
	Case(ctx context.Context, id string) (casefile.Case, error)
	Evidence(ctx context.Context, id, file string) (casefile.Evidence, store.Blob, error)
	Checkout(ctx context.Context, id string) (*store.Checkout, error)
	Export(ctx context.Context, id string, w io.Writer) error
	Proofs(ctx context.Context, id string) ([]store.Proof, error)
	Ping(ctx context.Context) error
}

// A Keeper takes in cases, proofs, and what somebody wants captured: a store.Store.
type Keeper interface {
	Put(ctx context.Context, up store.Upload) (store.Receipt, error)
	Arrived(ctx context.Context, id string, sum [32]byte) (int64, error)
	AddPart(ctx context.Context, p store.Part) (arrived int64, whole bool, r store.Receipt, err error)
	Remove(ctx context.Context, id string) error
	AddProof(ctx context.Context, id string, p casefile.Proof, who string) (known bool, err error)
	Opinions
	AddCapture(ctx context.Context, c store.Capture) (known bool, err error)
	EndAlert(ctx context.Context, alert string, at time.Time) error
	Capture(ctx context.Context, id string) (store.Capture, error)
	Captures(ctx context.Context, target string, limit int) ([]store.Capture, error)
	WhoHas(ctx context.Context, token string) (store.Token, error)
	Ranking(ctx context.Context, limit int) (store.Ranking, error)
	Costs(ctx context.Context, most int) (list []store.Cost, leftOut int, err error)
	PlanPrune(ctx context.Context, keep casefile.Retention) (store.Pruning, error)
	Pin(ctx context.Context, id string, pinned bool) error
}

// Opinions keeps what somebody says of a case: a Keeper, or a store.Shelf.
type Opinions interface {
	AddOpinion(ctx context.Context, id string, o casefile.Opinion) (given string, err error)
}

// A Config says what is served.
type Config struct {
	Cases Cases
	// Keeper takes cases in and knows tokens. Nil serves read-only, and Secret and Desk alone let in.
	Keeper Keeper
	// Opinions keeps answers. Nil means Keeper.
	Opinions Opinions
	// Fleet is what the server watches itself; its captures go through Keeper. Nil watches nothing.
	Fleet *fleet.Fleet
	// Hosts are the names that the server goes by, without ports, beside localhost and loopback addresses. A request for
	// any other is refused: a web page could make its reader's browser send one (DNS rebinding).
	Hosts []string
	// Secret is a token of an operator, which programs of the server's own user know. Zero is none.
	Secret access.Secret
	// Desk signs in browsers of this machine, as operators. Nil signs in none: they have passwords, which are tokens.
	Desk *access.Desk
	// MaxUpload bounds the bytes of a case that is sent. Zero means store.DefaultMaxUpload.
	MaxUpload int64
	// MetricFindings bounds the findings that /metrics has gauges of: so many of the ranking, and as many of open cases.
	// Zero means DefaultMetricFindings.
	MetricFindings int
	// Retention is what limits the cases that Keeper keeps, to be shown: whoever starts the server prunes. Nil means
	// nothing.
	Retention *casefile.Retention
	// Page draws the page of a case, with a form for an opinion if its reader may write one.
	Page func(ctx context.Context, w io.Writer, f *casefile.Folder, mayAnswer bool) error
	// Answer checks what somebody says of a case (docs/answer.md has its form) against the evidence, and runs nothing
	// of it. An answer without an author is that of from. Its errors are those of package store. Nil takes no opinions.
	Answer func(ctx context.Context, f *casefile.Folder, answer []byte, from string) (casefile.Opinion, error)
	// Views draw the pages about a case's evidence, by the last part of their addresses: profile, goroutines, memory,
	// lines and trace. A page without one is not there.
	Views map[string]View
	// Pprof writes a page of google/pprof's web interface about a profile of a case; query has pprof's own parameters.
	// Its errors are those of package store. Nil means that there are none.
	Pprof func(ctx context.Context, w io.Writer, id, file, page, query string) error
	// Compare draws the page of what differs between two cases. Nil means that there is none.
	Compare func(ctx context.Context, w io.Writer, before, after *casefile.Folder) error
	// Proof draws the page of a proof. Nil means that there is none.
	Proof func(w io.Writer, p casefile.Proof) error
	// Release compares the version of a service that runs with the one before. Its error is ErrNoRelease where there are
	// no two. Nil means that no engine is asked.
	Release func(ctx context.Context, service string) (Release, error)
	// Log gets a line for each request that changes something or reads evidence: who, what. Nil means none.
	Log *slog.Logger
}

// ErrIncomparable is Config.Compare's answer for two cases that have nothing to compare.
var ErrIncomparable = errors.New("these two cannot be compared")

// A Server answers requests.
type Server struct {
	cfg     Config
	log     *slog.Logger
	handler http.Handler
	metrics *metrics
	closing chan struct{} // closed when Serve ends: streams end with it
	proxied sync.Once     // the log has that requests come through a proxy

	comparing chan struct{} // has room for as many comparisons as may run at once
	drawing   chan struct{} // and for as many pages of cases, each of which has a copy of its case in the scratch folder
}

// New checks a configuration.
func New(cfg Config) (*Server, error) {
	var errs []error
	if cfg.Cases == nil {
		errs = append(errs, errors.New("field Cases is nil; there is nothing to serve"))
	}
	if cfg.Page == nil {
		errs = append(errs, errors.New("field Page is nil; it draws the page of a case"))
	}
	if cfg.Fleet != nil && cfg.Keeper == nil {
		errs = append(errs, errors.New("field Fleet is set and Keeper is not; captures are asked for through it"))
	}
	if cfg.MaxUpload < 0 {
		errs = append(errs, fmt.Errorf("field MaxUpload is %d; it cannot be negative", cfg.MaxUpload))
	}
	if cfg.MetricFindings < 0 {
		errs = append(errs, fmt.Errorf("field MetricFindings is %d; it cannot be negative", cfg.MetricFindings))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("server: %w", err)
	}
	if cfg.Opinions == nil && cfg.Keeper != nil {
		cfg.Opinions = cfg.Keeper
	}
	if cfg.MetricFindings == 0 {
		cfg.MetricFindings = DefaultMetricFindings
	}
	if cfg.MaxUpload == 0 {
		cfg.MaxUpload = store.DefaultMaxUpload
	}
	s := &Server{cfg: cfg, log: cfg.Log, closing: make(chan struct{}), comparing: make(chan struct{}, maxComparisons),
		drawing: make(chan struct{}, 2*runtime.GOMAXPROCS(0))}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	s.metrics = newMetrics(&cfg, s.log)
	s.handler = s.routes()
	return s, nil
}

// Handler answers all of the server's requests.
func (s *Server) Handler() http.Handler { return s.handler }

// A route is one of the server's. openapi.json describes those below /api/; a test compares.
type route struct {
	method, path string
	role         store.Role // who may; "" is everybody
	kept         bool       // needs a Keeper
	serve        http.HandlerFunc
}

func (s *Server) table() []route {
	return []route{
		{"GET", "/healthz", "", false, s.health},
		{"GET", "/readyz", "", false, s.ready},
		{"GET", "/login/{code}", "", false, s.signIn},
		{"GET", "/metrics", store.Viewer, false, s.metrics.serve},
		{"GET", "/assets/{file}", "", false, s.asset},
		{"GET", "/{$}", store.Viewer, false, s.overview},
		{"GET", "/findings", store.Viewer, false, s.groups},
		{"GET", "/cases", store.Viewer, false, s.casesPage},
		{"GET", "/cases/{id}", store.Viewer, false, s.casePage},
		{"GET", "/cases/{id}/{$}", store.Viewer, false, s.withoutSlash},
		{"POST", "/cases/{id}/opinions", store.Uploader, false, s.opinionPosted},
		{"GET", "/cases/{id}/profile", store.Viewer, false, s.view("profile")},
		{"GET", "/cases/{id}/pprof/{rest...}", store.Viewer, false, s.pprof},
		{"GET", "/cases/{id}/goroutines", store.Viewer, false, s.view("goroutines")},
		{"GET", "/cases/{id}/memory", store.Viewer, false, s.view("memory")},
		{"GET", "/cases/{id}/lines", store.Viewer, false, s.view("lines")},
		{"GET", "/cases/{id}/trace", store.Viewer, false, s.view("trace")},
		{"GET", "/cases/{id}/proofs/{n}", store.Viewer, false, s.proofPage},
		{"GET", "/compare", store.Viewer, false, s.compare},
		{"GET", "/release", store.Viewer, false, s.releasePage},
		{"GET", "/detectors", store.Viewer, false, s.detectors},
		{"GET", "/lab", store.Viewer, false, s.lab},
		{"GET", "/service", store.Viewer, false, s.service},
		{"GET", "/retention", store.Viewer, true, s.retentionPage},
		{"POST", "/retention/pin", store.Operator, true, s.pinPosted},
		{"POST", "/targets/{id}/capture", store.Operator, true, s.capturePosted},
		{"GET", "/api/v1/openapi.json", "", false, s.openAPI},
		{"GET", "/api/v1/services", store.Viewer, false, s.services},
		{"GET", "/api/v1/ranking", store.Viewer, true, s.ranking},
		{"GET", "/api/v1/release", store.Viewer, false, s.releaseReport},
		{"GET", "/api/v1/cases", store.Viewer, false, s.list},
		{"GET", "/api/v1/findings", store.Viewer, false, s.findings},
		{"GET", "/api/v1/cases/{id}", store.Viewer, false, s.oneCase},
		{"PUT", "/api/v1/cases/{id}", store.Uploader, true, s.upload},
		{"GET", "/api/v1/cases/{id}/uploads/{sum}", store.Uploader, true, s.arrived},
		{"PATCH", "/api/v1/cases/{id}/uploads/{sum}", store.Uploader, true, s.uploadPart},
		{"DELETE", "/api/v1/cases/{id}", store.Operator, true, s.remove},
		{"PUT", "/api/v1/cases/{id}/pin", store.Operator, true, s.pin},
		{"DELETE", "/api/v1/cases/{id}/pin", store.Operator, true, s.pin},
		{"GET", "/api/v1/retention", store.Viewer, true, s.retention},
		{"GET", "/api/v1/cases/{id}/zip", store.Viewer, false, s.zip},
		{"GET", "/api/v1/cases/{id}/evidence/{file...}", store.Viewer, false, s.evidence},
		{"GET", "/api/v1/cases/{id}/proofs", store.Viewer, false, s.proofs},
		{"POST", "/api/v1/cases/{id}/proofs", store.Uploader, true, s.addProof},
		{"POST", "/api/v1/cases/{id}/opinions", store.Uploader, false, s.addOpinion},
		{"GET", "/api/v1/targets", store.Viewer, false, s.targets},
		{"GET", "/api/v1/targets/{id}", store.Viewer, false, s.target},
		{"GET", "/api/v1/targets/{id}/events", store.Viewer, false, s.events},
		{"POST", "/api/v1/targets/{id}/captures", store.Operator, true, s.capture},
		{"GET", "/api/v1/captures", store.Viewer, true, s.captures},
		{"GET", "/api/v1/captures/{id}", store.Viewer, true, s.oneCapture},
		{"POST", "/api/v1/alerts/alertmanager", store.Uploader, true, s.alertmanager},
		{"POST", "/api/v1/alerts/grafana", store.Uploader, true, s.grafana},
	}
}

func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	for _, r := range s.table() {
		h := s.allow(r, r.serve)
		if r.method == http.MethodPut || r.method == http.MethodPatch {
			h = heard(h)
		}
		mux.Handle(r.method+" "+r.path, s.metrics.count(r, h))
	}
	return s.gate(mux)
}

// withoutSlash leads an address that somebody ended with a slash to the page.
func (s *Server) withoutSlash(w http.ResponseWriter, r *http.Request) {
	http.Redirect(w, r, "/cases/"+url.PathEscape(r.PathValue("id")), http.StatusMovedPermanently)
}

func (s *Server) health(w http.ResponseWriter, _ *http.Request) { answerText(w, http.StatusOK, "ok") }

// ready says whether the store answers.
func (s *Server) ready(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), readyTime)
	defer cancel()
	if err := s.cfg.Cases.Ping(ctx); err != nil {
		s.log.Warn("not ready", "error", err)
		answerText(w, http.StatusServiceUnavailable, "the store does not answer")
		return
	}
	answerText(w, http.StatusOK, "ready")
}
