package heavy

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"strings"
)

// goaws has the queues of SQS and the topics of SNS, for tests of what uses them: workers send, receive and delete, and
// publish to topics that lead to two queues each, one of them by a filter.
func goaws() Service {
	return Service{
		Name: "goaws", Module: "github.com/Admiral-Piett/goaws", Version: "v0.4.5", Main: "app/cmd", Unseen: true,
		Args:    []string{"-config", "{dir}/goaws.yaml", "Local"},
		Config:  map[string]string{"goaws.yaml": goawsConfig()},
		OnOther: true,
		Ready:   "/health",
		Load:    loadGoaws,
	}
}

const goawsQueues, goawsTopics = 12, 4

func goawsConfig() string {
	var b strings.Builder
	b.WriteString("Local:\n  Host: localhost\n  Port: {other}\n  Region: eu-west-1\n  AccountId: \"100010001000\"\n" +
		"  LogToFile: false\n  EnableDuplicates: true\n  QueueAttributeDefaults:\n    VisibilityTimeout: 30\n" +
		"    ReceiveMessageWaitTimeSeconds: 0\n    MaximumMessageSize: 262144\n  Queues:\n")
	for i := range goawsQueues {
		fmt.Fprintf(&b, "    - Name: jobs-%d\n", i)
	}
	b.WriteString("  Topics:\n")
	for i := range goawsTopics {
		fmt.Fprintf(&b, "    - Name: events-%d\n      Subscriptions:\n", i)
		fmt.Fprintf(&b, "        - QueueName: mail-%d\n          Raw: false\n", i)
		fmt.Fprintf(&b, "        - QueueName: audit-%d\n          Raw: true\n"+
			"          FilterPolicy: '{\"kind\": [\"paid\", \"refunded\"]}'\n", i)
	}
	return b.String()
}

func loadGoaws(ctx context.Context, on Target) error {
	return together(ctx, times(10, func(ctx context.Context, i int) error { return goawsWorker(ctx, on, i) })...)
}

var goawsHandle = regexp.MustCompile(`<ReceiptHandle>([^<]*)<`)

// goawsWorker sends a few messages, then takes as many and deletes them, so that queues stay short.
func goawsWorker(ctx context.Context, on Target, i int) error {
	r := rand.New(rand.NewPCG(uint64(i), 61))
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	ask := func(queue, action string, form url.Values) string {
		form.Set("Action", action)
		form.Set("Version", "2012-11-05")
		path := "/"
		if queue != "" {
			path = "/100010001000/" + queue
			form.Set("QueueUrl", "http://"+on.Addr+path)
		}
		q := request{method: http.MethodPost, path: path, body: form.Encode(),
			header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}}
		status, body, err := send(ctx, client, "http://"+on.Addr, q)
		if ctx.Err() == nil {
			on.Seen.Is(err == nil && status == http.StatusOK)
		}
		return string(body)
	}
	for ctx.Err() == nil {
		queue := fmt.Sprintf("jobs-%d", r.IntN(goawsQueues))
		switch r.IntN(4) {
		case 0: // eight at once
			form := url.Values{}
			for k := 1; k <= 8; k++ {
				entry := fmt.Sprintf("SendMessageBatchRequestEntry.%d.", k)
				form.Set(entry+"Id", fmt.Sprintf("m%d", k))
				form.Set(entry+"MessageBody", `{"job":"resize","of":"`+text(r, 20)+`"}`)
			}
			ask(queue, "SendMessageBatch", form)
		case 1: // to a topic
			topic := r.IntN(goawsTopics)
			for range 4 {
				ask("", "Publish", url.Values{"TopicArn": {fmt.Sprintf("arn:aws:sns:eu-west-1:100010001000:events-%d", topic)},
					"Message": {`{"invoice":"` + text(r, 30) + `"}`}, "Subject": {"invoice"},
					"MessageAttributes.entry.1.Name":              {"kind"},
					"MessageAttributes.entry.1.Value.DataType":    {"String"},
					"MessageAttributes.entry.1.Value.StringValue": {pick(r, []string{"paid", "sent", "refunded"})}})
			}
			goawsTake(ask, fmt.Sprintf("mail-%d", topic))
			queue = fmt.Sprintf("audit-%d", topic)
		default:
			for range 5 {
				ask(queue, "SendMessage", url.Values{"MessageBody": {`{"job":"index","of":"` + text(r, 40) + `"}`},
					"MessageAttribute.1.Name": {"tenant"}, "MessageAttribute.1.Value.DataType": {"String"},
					"MessageAttribute.1.Value.StringValue": {fmt.Sprintf("tenant-%d", r.IntN(500))},
					"MessageAttribute.2.Name":              {"tries"}, "MessageAttribute.2.Value.DataType": {"Number"},
					"MessageAttribute.2.Value.StringValue": {"1"}})
			}
		}
		goawsTake(ask, queue)
		if r.IntN(10) == 0 {
			ask(queue, "GetQueueAttributes", url.Values{"AttributeName.1": {"All"}})
		}
	}
	return nil
}

// goawsTake receives at most ten messages, and deletes what it got: one by one, or together.
func goawsTake(ask func(queue, action string, form url.Values) string, queue string) {
	got := goawsHandle.FindAllStringSubmatch(
		ask(queue, "ReceiveMessage", url.Values{"MaxNumberOfMessages": {"10"}, "AttributeName.1": {"All"}}), -1)
	if len(got) < 4 {
		for _, h := range got {
			ask(queue, "DeleteMessage", url.Values{"ReceiptHandle": {h[1]}})
		}
		return
	}
	form := url.Values{}
	for k, h := range got {
		entry := fmt.Sprintf("DeleteMessageBatchRequestEntry.%d.", k+1)
		form.Set(entry+"Id", fmt.Sprintf("m%d", k))
		form.Set(entry+"ReceiptHandle", h[1])
	}
	ask(queue, "DeleteMessageBatch", form)
}
