package brief

// answerForm is the form of an answer, which package answer reads.
const answerForm = `{"place": [{"function": "main.(*cache).load", "file": "main.go", "line": 34}], "cause": "…",
 "change": "…", "diff": "", "rests": ["W1"],
 "numbers": [{"fact": "W1", "name": "goroutines", "value": 472, "unit": ""}],
 "gain": {"resource": "memory", "low": 0.5, "high": 0.9},
 "uses": [{"module": "example.com/lib", "version": "v1.2.0", "name": "MaxIdle"}]}`

// howToAnswer ends every brief.
const howToAnswer = `
## 8. How to answer
Name the line to change (the user's, where a change of theirs can cure it), the cause and the change, in one JSON
object of this form. Only place and cause are required:

` + "```json\n" + answerForm + "\n```" + `

Cite the facts that the cause rests on. Claim no number, setting or version that is not above, and no more gain than a
fact allows. If the facts do not show the cause, say which evidence would. ` +
	"`casebook answer CASE answer.json`" + ` checks it.
`

// inShort is the same where there is little room.
const inShort = `
Answer in JSON: ` + "`" + `{"place": [{"function": "", "file": "", "line": 0}], "cause": "", "change": "",
"rests": ["W1"]}` + "`; " + "`casebook answer CASE answer.json`" + ` checks it.
`
