package ask

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// events calls do with the data of each event of a stream (text/event-stream, as HTML's standard describes it), until
// do says that it was the last, or the stream ends. An event that the end cuts off is dropped. most bounds the bytes of
// an event.
func events(r io.Reader, most int, do func(data []byte) (last bool, err error)) error {
	s := bufio.NewScanner(r)
	s.Buffer(nil, most)
	var data []byte
	begun := false // an event without data is none
	for s.Scan() {
		line := s.Bytes()
		if len(line) > 0 {
			if value, ok := dataOf(line); ok {
				if begun {
					data = append(data, '\n')
				}
				data, begun = append(data, value...), true
			}
			if len(data) > most {
				return eventTooLong(most)
			}
			continue
		}
		if begun {
			if last, err := do(data); last || err != nil {
				return err
			}
		}
		data, begun = data[:0], false
	}
	if errors.Is(s.Err(), bufio.ErrTooLong) {
		return eventTooLong(most)
	}
	return s.Err()
}

// dataOf is the value of a line of data. Other fields and comments tell nothing here.
func dataOf(line []byte) (value []byte, ok bool) {
	line = bytes.TrimPrefix(line, []byte("\uFEFF"))
	name, value, _ := bytes.Cut(line, []byte(":"))
	return bytes.TrimPrefix(value, []byte(" ")), string(name) == "data"
}

func eventTooLong(most int) error {
	return fmt.Errorf("an event of the stream is longer than %d bytes", most)
}
