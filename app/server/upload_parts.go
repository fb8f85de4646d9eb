package server

import (
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/gocasebook/casebook/app/access"
	"github.com/gocasebook/casebook/app/store"
	"github.com/gocasebook/casebook/casefile"
)

// A case that is too large to arrive in one go comes in parts: PATCH /api/v1/cases/ID/uploads/SHA256, where SHA256 is that
// of the whole zip. The names of headers are those of the IETF's resumable uploads (draft-ietf-httpbis-resumable-upload).
const (
	offsetHeader = "Upload-Offset" // of a part's first byte; in an answer, how much has arrived
	lengthHeader = "Upload-Length" // of the whole zip
)

// An Arrival says how much of an upload has arrived.
type Arrival struct {
	Offset int64 `json:"offset"`
}

// arrived says from where on a sender goes on.
func (s *Server) arrived(w http.ResponseWriter, r *http.Request) {
	id, sum, err := uploadOf(r)
	if err != nil {
		answerProblem(w, http.StatusBadRequest, err.Error())
		return
	}
	n, err := s.cfg.Keeper.Arrived(r.Context(), id, sum)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	answerArrival(w, http.StatusOK, n)
}

func answerArrival(w http.ResponseWriter, code int, n int64) {
	w.Header().Set(offsetHeader, strconv.FormatInt(n, 10))
	answerJSON(w, code, Arrival{n})
}

// uploadPart takes a part in: 202 when more is to come, and the answers of upload when the case is whole.
func (s *Server) uploadPart(w http.ResponseWriter, r *http.Request) {
	id, sum, err := uploadOf(r)
	p := store.Part{ID: id, SHA256: sum, Body: r.Body, MaxBytes: s.cfg.MaxUpload, Sender: sender(r)}
	if err == nil {
		p.Offset, err = byteCount(r, offsetHeader)
	}
	if err == nil {
		p.Size, err = byteCount(r, lengthHeader)
	}
	if err != nil {
		answerProblem(w, http.StatusBadRequest, err.Error())
		return
	}
	arrived, whole, receipt, err := s.cfg.Keeper.AddPart(r.Context(), p)
	var other *store.OffsetError
	switch {
	case errors.As(err, &other):
		w.Header().Set(offsetHeader, strconv.FormatInt(other.Have, 10))
		answerProblem(w, http.StatusConflict, other.Error())
	case err != nil:
		s.fail(w, r, err)
	case !whole:
		answerArrival(w, http.StatusAccepted, arrived)
	default:
		w.Header().Set(offsetHeader, strconv.FormatInt(arrived, 10))
		s.received(w, r, receipt)
	}
}

// sender is who has a share of what may be there in part: a token, or an address.
func sender(r *http.Request) string {
	if _, ok := access.Bearer(r); ok {
		return "token " + whoIs(r)
	}
	return "address " + access.Origin(r.RemoteAddr)
}

// uploadOf reads what an address says.
func uploadOf(r *http.Request) (id string, sum [32]byte, err error) {
	id, text := r.PathValue("id"), r.PathValue("sum")
	if !casefile.ValidID(id) {
		return "", sum, errors.New("the address has not the ID of a case")
	}
	if n, err := hex.Decode(sum[:], []byte(text[:min(len(text), 64)])); err != nil || n != len(sum) || len(text) != 64 {
		return "", sum, errors.New("the address does not end in a SHA-256, of 64 hexadecimal digits")
	}
	return id, sum, nil
}

func byteCount(r *http.Request, header string) (int64, error) {
	n, err := strconv.ParseInt(r.Header.Get(header), 10, 64)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("the header %s is %.40q; want a number of bytes", header, r.Header.Get(header))
	}
	return n, nil
}
