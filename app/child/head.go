package child

import "bytes"

// A Head keeps the first Most bytes of what a process writes, and takes the rest without keeping it, so that the process
// is not blocked. Who reads it waits until the process has ended.
type Head struct {
	Most int

	kept bytes.Buffer
	over bool
}

// Write keeps what there is room for.
func (h *Head) Write(p []byte) (int, error) {
	room := max(h.Most-h.kept.Len(), 0)
	h.over = h.over || len(p) > room
	h.kept.Write(p[:min(len(p), room)])
	return len(p), nil
}

// Bytes are those that were kept.
func (h *Head) Bytes() []byte { return h.kept.Bytes() }

func (h *Head) String() string { return h.kept.String() }

// Over reports whether more was written than is kept.
func (h *Head) Over() bool { return h.over }
