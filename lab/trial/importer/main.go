// Importer takes files of rows as CSV, checks them and writes them to the database in batches.
package main

import (
	"context"
	"database/sql"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"

	"github.com/gocasebook/casebook/lab/trial/kit"
)

const (
	batchSize = 500
	maxFile   = 32 << 20 // bytes
)

type row struct {
	name  string
	cents int
}

type importer struct {
	env *kit.Env
	db  *sql.DB
}

// write writes rows with one statement.
func (im *importer) write(ctx context.Context, rows []row) error {
	var b strings.Builder
	b.WriteString("insert into rows (name, amount) values ")
	for i, r := range rows {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "('%s',%d)", strings.ReplaceAll(r.name, "'", "''"), r.cents)
	}
	_, err := im.db.ExecContext(ctx, b.String())
	return err
}

// load reads a file and writes its rows.
func (im *importer) load(ctx context.Context, file io.Reader) (rows, bad int, err error) {
	in := csv.NewReader(file)
	in.ReuseRecord = true
	batch := make([]row, 0, batchSize)
	for {
		record, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return rows, bad, err
		}
		cents, err := strconv.Atoi(record[len(record)-1])
		if err != nil {
			bad++
			continue
		}
		batch = append(batch, row{strings.Clone(record[0]), cents})
		rows++
		if len(batch) == batchSize {
			if err := im.write(ctx, batch); err != nil {
				return rows, bad, err
			}
			batch = batch[:0]
		}
	}
	if len(batch) > 0 {
		err = im.write(ctx, batch)
	}
	return rows, bad, err
}

func (im *importer) post(w http.ResponseWriter, r *http.Request) {
	rows, bad, err := im.load(r.Context(), http.MaxBytesReader(w, r.Body, maxFile))
	if err != nil {
		im.env.Log.Error("importing", "rows", rows, "error", err)
		http.Error(w, "the file cannot be imported", http.StatusUnprocessableEntity)
		return
	}
	_ = json.NewEncoder(w).Encode(map[string]int{"rows": rows, "bad": bad})
}

func run(ctx context.Context, env *kit.Env) error {
	db, err := sql.Open("pgx", env.DB)
	if err != nil {
		return fmt.Errorf("opening the database: %w", err)
	}
	defer db.Close()
	db.SetMaxOpenConns(16)
	db.SetMaxIdleConns(16)
	im := &importer{env: env, db: db}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /files", im.post)
	return env.Serve(ctx, env.Instrument(mux))
}

func main() {
	env := kit.Parse("importer")
	ctx, cancel := kit.Context()
	defer cancel()
	env.Exit(run(ctx, env))
}
