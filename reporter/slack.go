package reporter

import (
	"encoding/json"
	"fmt"
	"strings"
)

// encodeSlack words a message for Slack's incoming webhooks, in at most six lines and well below the 4,000 characters
// that Slack advises (https://docs.slack.dev/reference/methods/chat.postMessage#truncating).
func encodeSlack(m Message) ([]byte, error) {
	return json.Marshal(map[string]string{"text": slackText(m)})
}

func slackText(m Message) string {
	where := escapeSlack(m.Service)
	if m.Host != "" {
		where += " on " + escapeSlack(m.Host)
	}
	lines := []string{fmt.Sprintf("*%s*: rule *%s* tripped: %s", where, escapeSlack(m.Rule), escapeSlack(m.Text))}
	switch {
	case len(m.Findings) > 0:
		lines = append(lines, slackFinding(m.Findings[0])...)
	case m.Known != "":
		lines = append(lines, "No fault is known behind it. "+escapeSlack(m.Known))
	default:
		lines = append(lines, fmt.Sprintf("No finding; %d artefacts of evidence.", m.Evidence))
	}
	switch more := len(m.Findings) - 1; {
	case more == 1:
		lines = append(lines, "1 more finding in the case.")
	case more > 1:
		lines = append(lines, fmt.Sprintf("%d more findings in the case.", more))
	}
	if m.Open != "" {
		lines = append(lines, "Open: "+code(m.Open))
	}
	return strings.Join(lines, "\n")
}

func slackFinding(f Finding) []string {
	severity := ""
	if f.Severity != "" {
		severity = f.Severity + " "
	}
	lines := []string{fmt.Sprintf("*%s%s: %s*: %s", severity, escapeSlack(f.ID), escapeSlack(f.Title),
		escapeSlack(f.Summary))}
	if f.Where != "" {
		lines = append(lines, "Where: "+code(f.Where))
	}
	if f.Remedy != "" {
		lines = append(lines, "Remedy: "+escapeSlack(f.Remedy))
	}
	return lines
}

// escapeSlack replaces the three characters that Slack gives a meaning to, which also defuses <!channel>, <@user> and
// <url|text> in what a service calls itself (https://docs.slack.dev/messaging/formatting-message-text#escaping).
func escapeSlack(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(text)
}

// code sets text as code. A backtick would end it and has no escape; it becomes an apostrophe.
func code(text string) string { return "`" + escapeSlack(strings.ReplaceAll(text, "`", "'")) + "`" }
