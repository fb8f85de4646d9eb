package server

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/alert"
	"github.com/gocasebook/casebook/app/fleet"
	"github.com/gocasebook/casebook/app/store"
)

// SourcePerson is the source of captures that somebody asked for by hand.
const SourcePerson = "person"

const maxReason = 300 // bytes

// capture asks for a case of a target now. The answer comes at once; the address in Location says what became of it.
func (s *Server) capture(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Reason string `json:"reason"`
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 4<<10))
	if err == nil && len(body) > 0 {
		err = json.Unmarshal(body, &in)
	}
	if err != nil {
		answerProblem(w, http.StatusBadRequest, `the body must be empty, or JSON such as {"reason": "slow since 14:00"}`)
		return
	}
	c, ok := s.askCapture(w, r, in.Reason)
	if !ok {
		return
	}
	w.Header().Set("Location", "/api/v1/captures/"+c.ID)
	answerJSON(w, http.StatusAccepted, c)
}

// capturePosted is capture for the form of a page.
func (s *Server) capturePosted(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 4<<10)
	c, ok := s.askCapture(w, r, r.PostFormValue("reason"))
	if !ok {
		return
	}
	http.Redirect(w, r, "/service?"+url.Values{"name": {c.Service}}.Encode(), http.StatusSeeOther)
}

func (s *Server) askCapture(w http.ResponseWriter, r *http.Request, reason string) (c store.Capture, ok bool) {
	st, ok := s.statusOf(w, r)
	if !ok {
		return c, false
	}
	who := whoIs(r)
	if reason = strings.Join(strings.Fields(strings.ToValidUTF8(reason, "")), " "); reason == "" {
		reason = "asked for"
	}
	c = store.Capture{ID: strings.ToLower(rand.Text()), Source: SourcePerson, Target: st.ID, Service: st.Service,
		Reason: shorten(reason, maxReason) + " (" + strings.Trim(who, "()") + ")", Who: who,
		Asked: time.Now().UTC(), State: store.Waiting}
	if _, err := s.cfg.Keeper.AddCapture(r.Context(), c); err != nil {
		s.fail(w, r, err)
		return c, false
	}
	s.log.Info("capture asked for", "capture", c.ID, "target", st.URL, "who", who)
	return c, true
}

func shorten(text string, most int) string {
	return strings.ToValidUTF8(text[:min(len(text), most)], "")
}

func (s *Server) captures(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	limit, err := strconv.Atoi(q.Get("limit"))
	if err != nil && q.Get("limit") != "" {
		answerProblem(w, http.StatusBadRequest, `"limit": want a number`)
		return
	}
	list, err := s.cfg.Keeper.Captures(r.Context(), q.Get("target"), limit)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	answerJSON(w, http.StatusOK, map[string]any{"captures": list})
}

func (s *Server) oneCapture(w http.ResponseWriter, r *http.Request) {
	c, err := s.cfg.Keeper.Capture(r.Context(), r.PathValue("id"))
	if errors.Is(err, store.ErrNotFound) {
		answerProblem(w, http.StatusNotFound, "there is no such capture; they are kept for 30 days")
		return
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	answerJSON(w, http.StatusOK, c)
}

// An Accepted says what became of the alerts of a webhook.
type Accepted struct {
	Asked     int `json:"asked"`     // captures that are new
	Known     int `json:"known"`     // that were asked for before
	Ended     int `json:"ended"`     // alerts that are resolved
	Unmatched int `json:"unmatched"` // alerts that are about no target of this server
}

func (s *Server) alertmanager(w http.ResponseWriter, r *http.Request) {
	s.alerts(w, r, alert.Alertmanager)
}

func (s *Server) grafana(w http.ResponseWriter, r *http.Request) { s.alerts(w, r, alert.Grafana) }

// alerts takes a webhook in. Its sender is answered as soon as the captures are in the store; who watches the targets
// takes them afterwards. An error of ours is a 503, upon which both senders try again.
func (s *Server) alerts(w http.ResponseWriter, r *http.Request, f alert.Format) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, alert.MaxBody))
	if err != nil {
		answerProblem(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("a webhook may have %d bytes", alert.MaxBody))
		return
	}
	list, err := alert.Parse(f, body, time.Now())
	if err != nil {
		s.log.Warn("webhook refused", "from", f.Name, "who", whoIs(r), "error", err)
		answerProblem(w, http.StatusUnprocessableEntity, err.Error())
		return
	}
	var done Accepted
	targets := s.alertTargets()
	for i := range list {
		if err := s.takeAlert(r, f, &list[i], targets, &done); err != nil {
			s.fail(w, r, err)
			return
		}
	}
	s.log.Info("alerts received", "from", f.Name, "asked", done.Asked, "known", done.Known, "ended", done.Ended,
		"unmatched", done.Unmatched, "who", whoIs(r))
	answerJSON(w, http.StatusAccepted, done)
}

func (s *Server) takeAlert(r *http.Request, f alert.Format, a *alert.Alert, targets []alert.Target,
	done *Accepted) error {
	if !a.Ended.IsZero() {
		done.Ended++
		return s.cfg.Keeper.EndAlert(r.Context(), a.Key, a.Ended)
	}
	about := alert.Match(a.Labels, targets)
	if len(about) == 0 {
		done.Unmatched++
		s.log.Warn("alert about no target of this server; docs/serve.md says how labels are matched", "alert", a.Name)
	}
	for _, t := range about {
		known, err := s.cfg.Keeper.AddCapture(r.Context(), store.Capture{ID: a.ID(t.ID), Alert: a.Key, Source: f.Name,
			Target: t.ID, Service: t.Service, Reason: a.Reason, Who: whoIs(r), Began: a.Began})
		switch {
		case err != nil:
			return err
		case known:
			done.Known++
		default:
			done.Asked++
		}
	}
	return nil
}

func (s *Server) alertTargets() (list []alert.Target) {
	if s.cfg.Fleet == nil {
		return nil
	}
	for _, t := range s.cfg.Fleet.Targets() {
		list = append(list, alertTarget(t))
	}
	return list
}

func alertTarget(t fleet.Target) alert.Target {
	return alert.Target{ID: t.ID, URL: t.URL, Service: t.Service, Labels: t.Labels}
}
