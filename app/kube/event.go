package kube

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"time"
)

// A Notice is what is told of a pod: kubectl describe shows it.
type Notice struct {
	Endpoint Endpoint
	Reason   string // one word, such as CaseOpened
	Text     string
	Warning  bool
	Time     time.Time
}

// maxNote is the API's limit on the message of an event, less room for characters that JSON writes longer.
const maxNote = 1000

// event is of the core/v1 API: the one that kubectl describe looks for.
type event struct {
	APIVersion string    `json:"apiVersion"`
	Kind       string    `json:"kind"`
	Metadata   eventMeta `json:"metadata"`
	Involved   reference `json:"involvedObject"`
	Reason     string    `json:"reason"`
	Message    string    `json:"message"`
	Type       string    `json:"type"`
	Count      int       `json:"count"`
	First      time.Time `json:"firstTimestamp"`
	Last       time.Time `json:"lastTimestamp"`
	Source     struct {
		Component string `json:"component"`
	} `json:"source"`
	Reporting string `json:"reportingComponent"`
	Instance  string `json:"reportingInstance"`
}

type eventMeta struct {
	GenerateName string `json:"generateName"`
	Namespace    string `json:"namespace"`
}

type reference struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace"`
	Name       string `json:"name"`
	UID        string `json:"uid"`
	FieldPath  string `json:"fieldPath"`
}

// Tell writes an event about a pod. instance names this process among replicas.
func (c *Client) Tell(ctx context.Context, n Notice, instance string) error {
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	at := n.Time.UTC().Truncate(time.Second)
	e := event{APIVersion: "v1", Kind: "Event", Metadata: eventMeta{GenerateName: cut(n.Endpoint.Pod, 200) + ".",
		Namespace: n.Endpoint.Namespace},
		Involved: reference{APIVersion: "v1", Kind: "Pod", Namespace: n.Endpoint.Namespace, Name: n.Endpoint.Pod,
			UID: n.Endpoint.UID, FieldPath: "spec.containers{" + n.Endpoint.Container + "}"},
		Reason: n.Reason, Message: cut(n.Text, maxNote), Type: "Normal", Count: 1, First: at, Last: at,
		Reporting: "casebook", Instance: cut(instance, 128)}
	if n.Warning {
		e.Type = "Warning"
	}
	e.Source.Component = "casebook"
	resp, err := c.do(ctx, http.MethodPost, "/api/v1/namespaces/"+url.PathEscape(n.Endpoint.Namespace)+"/events", nil, e)
	if err != nil {
		return err
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, maxStatus)) // so that the connection is used again
	return resp.Body.Close()
}

// cut shortens a text to so many bytes, between characters.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && text[most]&0xc0 == 0x80 {
		most--
	}
	return text[:most]
}
