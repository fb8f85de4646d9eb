// The repaired twin: the expression is compiled once, and the service does a little of everything.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"hash/crc32"
	"regexp"
	"slices"
	"strconv"

	"github.com/gocasebook/casebook/diagnose/testdata/programs/service"
)

type signUp struct {
	Name  string   `json:"name"`
	Email string   `json:"email"`
	Tags  []string `json:"tags"`
}

var emails = regexp.MustCompile(`^[a-z.]+@[a-z.]+\.(com|org)$`)

func handle(body []byte, out *bytes.Buffer) {
	s := parse(body)
	if !valid(s) {
		return
	}
	out.WriteString(token(s.Email))
	out.WriteString(strconv.FormatUint(uint64(checksum(body)), 16))
	slices.Sort(s.Tags)
	for _, t := range s.Tags {
		out.WriteString(t)
	}
	render(s, out)
}

func parse(body []byte) (s signUp) {
	if json.Unmarshal(body, &s) != nil {
		return signUp{}
	}
	return s
}

func valid(s signUp) bool {
	for _, t := range s.Tags {
		if !emails.MatchString(t + s.Email) {
			return false
		}
	}
	return emails.MatchString(s.Email)
}

func token(email string) string {
	sum := sha256.Sum256([]byte(email))
	for range 16 {
		sum = sha256.Sum256(sum[:])
	}
	return hex.EncodeToString(sum[:])
}

func checksum(body []byte) uint32 {
	c := uint32(0)
	for range 65 {
		c = crc32.Update(c, crc32.IEEETable, body)
	}
	return c
}

func render(s signUp, out *bytes.Buffer) {
	b, err := json.Marshal(s)
	if err != nil {
		return
	}
	out.Write(b)
}

func main() {
	body := []byte(`{"name":"Ann","email":"ann.smith@example.com","tags":["new","eu"]}`)
	var out bytes.Buffer
	go service.Load(60_000, func(int) { out.Reset(); handle(body, &out) })
	service.Run()
}
