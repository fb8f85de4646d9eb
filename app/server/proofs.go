package server

import (
	"io"
	"net/http"

	"github.com/gocasebook/casebook/app/store"
)

// addProof takes a proof in: what `casebook prove --json` prints.
func (s *Server) addProof(w http.ResponseWriter, r *http.Request) {
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 2*store.MaxProof)) // it has blocks beside the proof
	if err != nil {
		answerProblem(w, http.StatusRequestEntityTooLarge, "the proof is too large")
		return
	}
	id, who := r.PathValue("id"), whoIs(r)
	p, err := store.ReadProof(data)
	var known bool
	if err == nil {
		known, err = s.cfg.Keeper.AddProof(r.Context(), id, p, who)
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	s.log.Info("proof received", "case", id, "verdict", string(p.Verdict), "known", known, "who", who)
	code := http.StatusCreated
	if known {
		code = http.StatusOK
	}
	answerJSON(w, code, store.Receipt{ID: id, Known: known})
}

func (s *Server) proofs(w http.ResponseWriter, r *http.Request) {
	list, err := s.cfg.Cases.Proofs(r.Context(), r.PathValue("id"))
	if err != nil {
		s.fail(w, r, err)
		return
	}
	answerJSON(w, http.StatusOK, map[string]any{"proofs": list})
}
