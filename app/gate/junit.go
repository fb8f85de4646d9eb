package gate

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// The elements of JUnit's XML that CI systems read (https://github.com/testmoapp/junitxml).
type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Time     string       `xml:"time,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string     `xml:"classname,attr"`
	Name    string     `xml:"name,attr"`
	File    string     `xml:"file,attr,omitempty"` // of what failed, from the top of the repository: GitLab links it
	Failure *junitText `xml:"failure,omitempty"`
	Skipped *junitText `xml:"skipped,omitempty"`
	Out     string     `xml:"system-out,omitempty"`
}

type junitText struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// JUnit writes a result as test cases: one suite per package, one case per figure. "Cannot tell" is skipped.
func JUnit(w io.Writer, r *Result) error {
	doc := junitSuites{Name: "casebook gate", Time: fmt.Sprintf("%.1f", r.Seconds)}
	at := make(map[string]int)
	suite := func(pkg string) *junitSuite {
		if _, ok := at[pkg]; !ok {
			at[pkg] = len(doc.Suites)
			doc.Suites = append(doc.Suites, junitSuite{Name: pkg})
		}
		return &doc.Suites[at[pkg]]
	}
	for _, j := range r.Judgements {
		pkg, _ := splitSubject(j.Subject)
		suite(pkg).add(j.junit())
	}
	for _, subject := range r.Identical {
		pkg, name := splitSubject(subject)
		suite(pkg).add(junitCase{Class: pkg, Name: strings.TrimSpace(name + " the same binary")})
	}
	for _, s := range doc.Suites {
		doc.Tests, doc.Failures, doc.Skipped = doc.Tests+s.Tests, doc.Failures+s.Failures, doc.Skipped+s.Skipped
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return fmt.Errorf("writing JUnit's XML: %w", err)
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(doc); err != nil {
		return fmt.Errorf("writing JUnit's XML: %w", err)
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func (s *junitSuite) add(c junitCase) {
	s.Tests++
	if c.Failure != nil {
		s.Failures++
	}
	if c.Skipped != nil {
		s.Skipped++
	}
	s.Cases = append(s.Cases, c)
}

func (j *Judgement) junit() junitCase {
	pkg, name := splitSubject(j.Subject)
	c := junitCase{Class: pkg, Name: name + " " + j.Limit.String()}
	lines := []string{j.numbers()}
	for _, b := range j.Because {
		lines = append(lines, "because "+b.text(j.Unit))
	}
	if j.Reason != "" {
		lines = append(lines, j.Reason)
	}
	text := &junitText{j.headline(), strings.Join(lines, "\n")}
	switch j.Outcome {
	case Fail:
		if c.Failure = text; j.Place != nil {
			c.File = j.Place.File
		}
	case CannotTell:
		c.Skipped = text
	default:
		c.Out = j.headline() + ": " + j.numbers()
	}
	return c
}
