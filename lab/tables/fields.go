package tables

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/bytedance/sonic"
	jsoniter "github.com/json-iterator/go"
	"github.com/tidwall/gjson"

	"github.com/gocasebook/casebook/lab/tables/listing"
)

const fieldsTitle = "Three fields of a JSON text: decoded, or looked up"

const (
	intoStruct, byPath = "into a struct", "by path"
	standardJSON       = "encoding/json"
)

func fieldsTable(ctx context.Context, p pace) (Table, error) {
	offer := listing.Example()
	text, err := json.Marshal(offer)
	if err != nil {
		return Table{}, err
	}
	rs, err := p.compare(ctx, []matchup{fieldsDecoded(&offer, text), fieldsLookedUp(text)})
	return Table{
		Name:  "fields",
		Title: fieldsTitle,
		Text: fmt.Sprintf("CPU time, collecting included, to read an id, a price and a phone number out of the %d "+
			"bytes of an offer: decoded into a struct of these three, and looked up by their paths without decoding.",
			len(text)),
		Columns: matchupColumns("read"), Rows: rs.rows(),
		Said: "The articles replaced encoding/json by json-iterator and by gjson, and name sonic: fewer allocations " +
			"and less reflection; json-iterator took spikes of 30 ms to 20, gjson had no effect on what was left of " +
			"them.",
		Holds: fieldsHold(rs),
		Note: "A look-up by path walks the text once for each path, stops where it has found it, and does not check " +
			"the rest: gjson reads what is no JSON, too. The line encoding/json by path decodes into the struct, for " +
			"the package has no look-up.",
	}, err
}

// fieldsHold says what each library gains beside encoding/json by today's figures.
func fieldsHold(rs results) string {
	faster, of := 0, 0
	said := make(map[string][]string)
	for _, r := range rs {
		if r.form == standardJSON {
			continue
		}
		of++
		if r.faster() {
			faster++
		}
		said[r.subject] = append(said[r.subject], r.form+" "+r.compared())
	}
	standard, path := rs.of(intoStruct, standardJSON), rs.of(byPath, "gjson")
	return fmt.Sprintf("%s. Beside encoding/json, into a struct: %s; by path: %s. gjson makes %s for a text, "+
		"encoding/json %s.", holding(faster, of), listed(said[intoStruct]), listed(said[byPath]), size(path.bytes),
		size(standard.bytes))
}

func fieldsDecoded(l *listing.Listing, text []byte) matchup {
	m := matchup{subject: intoStruct}
	for _, c := range []codec{jsonCodec(l), json2Codec(l), jsoniterCodec(l), sonicCodec(l)} {
		m.forms = append(m.forms, contestant{c.name, read(c.readBrief, text)})
	}
	m.forms[0].name = standardJSON
	return m
}

func fieldsLookedUp(text []byte) matchup {
	return matchup{subject: byPath, forms: []contestant{
		{standardJSON, read(intoBrief(json.Unmarshal), text)},
		{"json-iterator", read(func(b []byte) (uint64, error) {
			return fieldSum(jsoniter.Get(b, "id").ToInt64(), jsoniter.Get(b, "price").ToInt64(),
				jsoniter.Get(b, "seller", "phone").ToString()), nil
		}, text)},
		{"sonic", read(sonicFields, text)},
		{"gjson", read(func(b []byte) (uint64, error) {
			return fieldSum(gjson.GetBytes(b, "id").Int(), gjson.GetBytes(b, "price").Int(),
				gjson.GetBytes(b, "seller.phone").String()), nil
		}, text)},
	}}
}

func sonicFields(b []byte) (uint64, error) {
	var numbers [2]int64
	for i, name := range []string{"id", "price"} {
		n, err := sonic.Get(b, name)
		if err != nil {
			return 0, err
		}
		if numbers[i], err = n.Int64(); err != nil {
			return 0, err
		}
	}
	n, err := sonic.Get(b, "seller", "phone")
	if err != nil {
		return 0, err
	}
	phone, err := n.String()
	return fieldSum(numbers[0], numbers[1], phone), err
}

// fieldSum is the sum of a listing.Brief.
func fieldSum(id, price int64, phone string) uint64 {
	return listing.Number(id) + listing.Number(price) + listing.Text(phone)
}
