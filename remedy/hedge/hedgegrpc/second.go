package hedgegrpc

import (
	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/peer"
	"google.golang.org/protobuf/proto"
)

// A second is a hedge with its own copy of everything that it writes to, so that the attempts do not write to the same
// memory.
type second struct {
	reply proto.Message
	opts  []grpc.CallOption
	give  []func() // gives the caller what the options returned
}

func newSecond(reply proto.Message, opts []grpc.CallOption) *second {
	s := &second{reply: reply.ProtoReflect().New().Interface(), opts: make([]grpc.CallOption, len(opts))}
	for i, o := range opts {
		s.opts[i] = s.own(o)
	}
	return s
}

// own replaces an option that returns something by one that returns it here.
func (s *second) own(o grpc.CallOption) grpc.CallOption {
	switch o := o.(type) {
	case grpc.HeaderCallOption:
		md := new(metadata.MD)
		s.give = append(s.give, func() { *o.HeaderAddr = *md })
		return grpc.Header(md)
	case grpc.TrailerCallOption:
		md := new(metadata.MD)
		s.give = append(s.give, func() { *o.TrailerAddr = *md })
		return grpc.Trailer(md)
	case grpc.PeerCallOption:
		p := new(peer.Peer)
		s.give = append(s.give, func() { *o.PeerAddr = *p })
		return grpc.Peer(p)
	}
	return o
}

// deliver gives the caller what the hedge received. The first attempt has returned by then.
func (s *second) deliver(reply proto.Message, err error) {
	for _, give := range s.give {
		give()
	}
	if err == nil {
		proto.Reset(reply)
		proto.Merge(reply, s.reply)
	}
}

// withoutFinish takes the OnFinish functions out of the options: they are for the call and not for each attempt.
func withoutFinish(opts []grpc.CallOption) (rest []grpc.CallOption, finish []func(error)) {
	for i, o := range opts {
		f, ok := o.(grpc.OnFinishCallOption)
		switch {
		case ok && finish == nil: // rarely there; only then is there a copy
			rest = append([]grpc.CallOption(nil), opts[:i]...)
			finish = append(finish, f.OnFinish)
		case ok:
			finish = append(finish, f.OnFinish)
		case finish != nil:
			rest = append(rest, o)
		}
	}
	if finish == nil {
		return opts, nil
	}
	return rest, finish
}
