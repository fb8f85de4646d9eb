package worker

import (
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/gocasebook/casebook/lab/worker/event"
)

// A dynamicCodec knows the schema as a descriptor, as one has it from a schema registry, and no generated messages: new
// fields need no new build.
type dynamicCodec struct {
	batch, event, param protoreflect.MessageDescriptor
}

func newDynamicCodec() dynamicCodec {
	messages := event.File_event_proto.Messages()
	return dynamicCodec{messages.ByName("Batch"), messages.ByName("Event"), messages.ByName("Param")}
}

func (c dynamicCodec) decode(raw []byte) (*event.Batch, error) {
	m := dynamicpb.NewMessage(c.batch)
	if err := proto.Unmarshal(raw, m); err != nil {
		return nil, err
	}
	b := new(event.Batch)
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch f.Name() {
		case "host":
			b.Host = v.String()
		case "sent_ms":
			b.SentMs = v.Int()
		case "events":
			for i := range v.List().Len() {
				b.Events = append(b.Events, readEvent(v.List().Get(i).Message()))
			}
		}
		return true
	})
	return b, nil
}

func readEvent(m protoreflect.Message) *event.Event {
	e := new(event.Event)
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		readField(e, string(f.Name()), v)
		return true
	})
	return e
}

func readField(e *event.Event, name string, v protoreflect.Value) {
	switch name {
	case "id":
		e.Id = v.Uint()
	case "at_ms":
		e.AtMs = v.Int()
	case "kind":
		e.Kind = event.Event_Kind(v.Enum())
	case "user":
		e.User = v.Uint()
	case "item":
		e.Item = v.Uint()
	case "session":
		e.Session = v.String()
	case "region":
		e.Region = v.String()
	case "platform":
		e.Platform = v.String()
	case "user_agent":
		e.UserAgent = v.String()
	case "referrer":
		e.Referrer = v.String()
	case "position":
		e.Position = uint32(v.Uint())
	case "params":
		for i := range v.List().Len() {
			e.Params = append(e.Params, readParam(v.List().Get(i).Message()))
		}
	case "category":
		e.Category = v.String()
	case "seller":
		e.Seller = v.Uint()
	case "price":
		e.Price = v.Int()
	}
}

func readParam(m protoreflect.Message) *event.Param {
	fields := m.Descriptor().Fields()
	return &event.Param{Key: m.Get(fields.ByName("key")).String(), Value: m.Get(fields.ByName("value")).String()}
}

func (c dynamicCodec) append(to []byte, b *event.Batch) ([]byte, error) {
	m := dynamicpb.NewMessage(c.batch)
	set(m, "host", b.Host)
	set(m, "sent_ms", b.SentMs)
	events := m.Mutable(c.batch.Fields().ByName("events")).List()
	for _, e := range b.Events {
		events.Append(protoreflect.ValueOfMessage(c.writeEvent(e)))
	}
	// in the order of the fields, as generated code does
	return proto.MarshalOptions{Deterministic: true}.MarshalAppend(to, m)
}

func (c dynamicCodec) writeEvent(e *event.Event) protoreflect.Message {
	m := dynamicpb.NewMessage(c.event)
	set(m, "id", e.Id)
	set(m, "at_ms", e.AtMs)
	set(m, "kind", e.Kind.Number())
	set(m, "user", e.User)
	set(m, "item", e.Item)
	set(m, "session", e.Session)
	set(m, "region", e.Region)
	set(m, "platform", e.Platform)
	set(m, "user_agent", e.UserAgent)
	set(m, "referrer", e.Referrer)
	set(m, "position", e.Position)
	params := m.Mutable(c.event.Fields().ByName("params")).List()
	for _, p := range e.Params {
		q := dynamicpb.NewMessage(c.param)
		set(q, "key", p.Key)
		set(q, "value", p.Value)
		params.Append(protoreflect.ValueOfMessage(q))
	}
	set(m, "category", e.Category)
	set(m, "seller", e.Seller)
	set(m, "price", e.Price)
	return m
}

// set gives a field its value. A field without presence is left out when it is encoded with its zero value.
func set(m protoreflect.Message, field protoreflect.Name, value any) {
	m.Set(m.Descriptor().Fields().ByName(field), protoreflect.ValueOf(value))
}
