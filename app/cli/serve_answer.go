package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gocasebook/casebook/app/answer"
	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/store"
	"github.com/gocasebook/casebook/casefile"
)

// checkAnswer checks an answer that came to a server against the evidence of its case. It reads and runs nothing else:
// the source of others' programs is not here, and what a diff would do is not tried. The server keeps the opinion.
func checkAnswer(ctx context.Context, f *casefile.Folder, text []byte, from string) (o casefile.Opinion, err error) {
	a, err := answer.Parse(text)
	if err != nil {
		return o, fmt.Errorf("%w: %w", store.ErrInvalid, err)
	}
	r := assess.AnswerRequest{DiagnoseRequest: assess.DiagnoseRequest{Opened: &assess.Opened{Name: f.Case.ID, Case: f}},
		Answer: text, DryRun: true, Given: time.Now()}
	if a.Author == "" {
		r.Author = from
	}
	waited := casework.InTurn(ctx, func() {
		var done *assess.Answered
		if done, err = assess.Answer(ctx, r); err == nil {
			o = done.Opinion
		}
	})
	return o, errors.Join(waited, err)
}
