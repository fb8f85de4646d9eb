package mcp

import (
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"
)

// texts say of each argument what it is, by its name in JSON. Those of one tool come before those of all.
type texts map[string]string

// ofAll are arguments that mean the same to several tools.
var ofAll = texts{
	"case":         "the case's ID or a folder's name, as list_cases has them; latest is the newest case",
	"findings":     "how many findings (default 5, at most 50)",
	"wait_seconds": "how long to wait for the end (default 30, at most 600; 0: not at all)",
}

var listTexts = texts{
	"service": "only cases of this service",
	"kind":    "only cases with a finding of this kind, such as mem-leak",
	"score":   "only cases whose worst finding has at least this score (0-100)",
	"after":   "continue behind this case: next of the list before",
	"limit":   "how many cases (default 20, at most 100)",
}

var explainTexts = texts{
	"kind": "a kind or an ID, such as gc-cpu or GC001",
}

var knownTexts = texts{
	"name": "a module, a package of the standard library, or a function: net/http, github.com/redis/go-redis/v9, " +
		"net/http.(*Client).Do",
}

var briefTexts = texts{
	"tokens":    "how long, in tokens (default 2500, 1000 to 20000); the largest harm comes first",
	"anonymous": "leave out the names and the code of the program itself",
}

var factTexts = texts{
	"ids": "IDs of facts, as brief has them, such as W1 and H2; at most 10",
}

var codeTexts = texts{
	"place":  "a function of the evidence, or FILE:LINE in a file of it: main.(*store).load, store.go:34",
	"before": "lines before (default 10, at most 100)",
	"after":  "lines after (default 20, at most 100)",
	"costs": "all of the function instead, with what each line costs: CPU, allocations, waiting, live memory, " +
		"goroutines",
}

var answerTexts = texts{
	"answer": `an object: {"place": [{"function": "main.(*store).load", "file": "store.go", "line": 34}], "cause": ` +
		`"…", "change": "…", "diff": "a unified diff", "rests": ["W1"], "numbers": [{"fact": "W1", "name": ` +
		`"goroutines", "value": 472, "unit": ""}], "gain": {"resource": "memory", "low": 0.5, "high": 0.9}, "uses": [{"module": ` +
		`"example.com/lib", "version": "v1.2.0", "name": "MaxIdle"}]}; place and cause are required`,
	"author": "who answers, such as the name of the model",
}

var compareTexts = texts{
	"old": "the case or folder of before",
	"new": "the case or folder of after",
}

var rulesTexts = texts{
	"rule": "only this rule, such as gc-cpu",
}

var evidenceTexts = texts{
	"file": "the file of evidence, as get_case lists it, such as cpu.pb.gz",
	"view": "top, peek, lines, goroutines, trace or text (default: by the file's content)",
	"function": "for peek and lines: the function, or a part of its name; for top and goroutines: only those with " +
		"this part",
	"value":  "which number of a profile: cpu, inuse_space, alloc_space, delay, contentions (default: the usual one)",
	"sort":   "for top and lines: self (default) or total, which has what is called from there",
	"base":   "an earlier file of the same case, such as heap-before.pb.gz: the numbers are what came since",
	"table":  "for trace: only this table of the summary, such as kinds, slowest, goroutines, scheduler, gc, stops",
	"rows":   "how many rows (default 20, at most 200)",
	"offset": "for text: from this byte on",
}

var captureTexts = texts{
	"target":  "which target, by the operator's name for it",
	"seconds": "how long profiles span (default 10, 1 to 60)",
	"kinds":   "kinds of evidence, such as cpu, heap, goroutine, mutex, block, trace (default: the usual ones)",
	"reason":  "why, for whoever reads the case; one line",
}

var lintTexts = texts{
	"case":     "rank by the profiles of this case or folder (default: do not rank)",
	"packages": "patterns such as ./internal/... (default ./...)",
}

var fixTexts = texts{
	"case": "the case or folder whose findings are fixed",
	"findings": "IDs or kinds of findings, or diagnostics of lint as CHECK@FILE:LINE with the file below the " +
		"operator's folder (default: all of the case)",
	"prove": "build, test and measure each change, and drop what is not better; needs the operator's measurement",
}

var proveTexts = texts{
	"proof":   "which measurement, by the operator's name for it",
	"case":    "put the proof into this case, beside what its finding promised",
	"opinion": "the opinion of that case whose change is measured, such as O1: the verdict becomes its proof",
}

var executeTexts = texts{
	"plan": "the plan's ID, as plan_… answered",
}

var runTexts = texts{
	"run":  "the run's ID, as execute answered",
	"stop": "end it; it keeps what it has",
}

// schemaOf is the schema of a tool's arguments, each with its text.
func schemaOf[In any](own texts) (*jsonschema.Schema, error) {
	schema, err := jsonschema.For[In](nil)
	if err != nil {
		return nil, fmt.Errorf("the arguments' schema: %w", err)
	}
	for name, p := range schema.Properties {
		if p.Description = own[name]; p.Description == "" {
			p.Description = ofAll[name]
		}
		if p.Description == "" {
			return nil, fmt.Errorf("the argument %s has no text", name)
		}
	}
	return schema, nil
}
