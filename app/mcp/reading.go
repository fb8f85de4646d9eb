package mcp

import (
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// addReading adds the tools that read: they change nothing, and touch nothing but the folder.
func (s *Server) addReading() {
	add(s, &sdk.Tool{Name: "list_cases", Title: "List cases", Annotations: readOnly(),
		Description: "Cases, newest first: when, which service, what tripped, the first finding. A case is one " +
			"incident with its evidence. Also folders with profiles, which the other tools take as cases."},
		listTexts, reading(s, s.listCases))
	add(s, &sdk.Tool{Name: "get_case", Title: "Show a case", Annotations: readOnly(),
		Description: "One case: target, what tripped, the verdict, the findings worst first with file and line, " +
			"remedies and expected gain, the proof if there is one, and its files of evidence."},
		nil, reading(s, s.getCase))
	add(s, &sdk.Tool{Name: "brief", Title: "Brief on a case", Annotations: readOnly(),
		Description: "Start here. What the evidence shows, without judgement, within a bound of tokens: what people " +
			"feel, who waits for whom, what is held, what costs, what is known of the modules, code around the places, " +
			"Casebook's findings and what contradicts them, and what is missing. Facts are numbered (W1, H2), the largest " +
			"harm first."},
		briefTexts, reading(s, s.brief))
	add(s, &sdk.Tool{Name: "fact", Title: "Facts by their numbers", Annotations: readOnly(),
		Description: "Whole facts by their IDs: numbers with every digit, all stacks, the most that a change can bring."},
		factTexts, reading(s, s.fact))
	add(s, &sdk.Tool{Name: "code", Title: "Source around a place", Annotations: readOnly(),
		Description: "Lines of source around a function or FILE:LINE of the evidence; > marks the lines that it names. " +
			"Of dependencies from the module cache in the version of the build; of the program if the operator named its " +
			"folder. With costs, a function with what each of its lines costs."},
		codeTexts, reading(s, s.code))
	add(s, &sdk.Tool{Name: "check_answer", Title: "Check an answer", Annotations: readOnly(),
		Description: "Checks an answer against the facts, part by part: places, numbers, versions, settings, diff, gain, " +
			"and what contradicts the change. Verdict: supported, unsupported, contradicted, with reasons. Keeps nothing."},
		answerTexts, reading(s, s.checkAnswer))
	add(s, &sdk.Tool{Name: "diagnose", Title: "Diagnose again", Annotations: readOnly(),
		Description: "Runs the detectors over the evidence of a case or of a folder with profiles, and answers with " +
			"verdict, findings and their causes. Use it for folders, and for cases that an older version diagnosed."},
		nil, reading(s, s.diagnose))
	add(s, &sdk.Tool{Name: "explain", Title: "Explain a kind of finding", Annotations: readOnly(),
		Description: "What a kind of finding means: how it is judged, what it needs, remedies with their price, " +
			"and the fault and the fix as Go code."},
		explainTexts, reading(s, s.explain))
	add(s, &sdk.Tool{Name: "known", Title: "What experts know of a module", Annotations: readOnly(),
		Description: "What is known of a module or of a function, as profiles name it: defaults that bite, what must be " +
			"closed, what is made once, what grows, calls that cost more than they look; with the change and its source. " +
			"True only where the case shows it."},
		knownTexts, reading(s, s.known))
	add(s, &sdk.Tool{Name: "get_evidence", Title: "Look into evidence", Annotations: readOnly(),
		Description: "Looks into one file of evidence. Views: top (functions by their own and by total cost), peek " +
			"(callers and callees of a function), lines (costs by source line), goroutines (groups with state, wait and " +
			"creator), trace (tables of an execution trace), text (settings, metrics). Bounded; says what was cut."},
		evidenceTexts, reading(s, s.getEvidence))
	add(s, &sdk.Tool{Name: "compare", Title: "Compare two cases", Annotations: readOnly(),
		Description: "What is new, worse, better or gone between two cases or folders, the old one first. It compares " +
			"findings and does not prove a fix: prove measures that."},
		compareTexts, reading(s, s.compare))
	add(s, &sdk.Tool{Name: "rules_status", Title: "How near the rules were", Annotations: readOnly(),
		Description: "Replays the signals that a case recorded through the built-in rules: which fired when, and of " +
			"the others how near they came."},
		rulesTexts, reading(s, s.rulesStatus))
}

func readOnly() *sdk.ToolAnnotations {
	return &sdk.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: new(bool)}
}
