package ask

import (
	"os"
	"strings"

	"github.com/gocasebook/casebook/internal/redact"
)

// shortestSecret is the length below which a value is no secret but a word, such as the "none" or "ollama" that people
// give to local servers: taking it out would spoil texts.
const shortestSecret = 8

// secrets are what no text that leaves this package may repeat.
type secrets []string

// secrets are the values of the variables that the agent gets. It fails when the key is missing.
func (a *Agent) secrets() (secrets, error) {
	key, err := a.key()
	if err != nil {
		return nil, err
	}
	var all secrets
	for _, value := range append([]string{key}, values(a.Env)...) {
		if len(value) >= shortestSecret {
			all = append(all, value)
		}
	}
	return all, nil
}

func values(names []string) (all []string) {
	for _, name := range names {
		all = append(all, os.Getenv(name))
	}
	return all
}

// hide takes the secrets out of a text.
func (s secrets) hide(text string) string {
	for _, secret := range s {
		text = strings.ReplaceAll(text, secret, redact.Gone)
	}
	return text
}
