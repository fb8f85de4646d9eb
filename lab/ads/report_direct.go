package ads

import "strconv"

// appendDirect writes the fields of a line one by one. TestReportForms holds it to appendReflected, so that no field is
// forgotten.
func appendDirect(to []byte, l *reportLine) []byte {
	to = strconv.AppendInt(append(to, `{"time":`...), l.Time, 10)
	to = strconv.AppendInt(append(to, `,"user":`...), l.User, 10)
	to = strconv.AppendInt(append(to, `,"topic":`...), int64(l.Topic), 10)
	to = strconv.AppendQuote(append(to, `,"country":`...), l.Country)
	to = strconv.AppendInt(append(to, `,"rank":`...), int64(l.Rank), 10)
	to = strconv.AppendInt(append(to, `,"ad":`...), l.Ad, 10)
	to = strconv.AppendInt(append(to, `,"campaign":`...), l.Campaign, 10)
	to = strconv.AppendInt(append(to, `,"advertiser":`...), l.Advertiser, 10)
	to = strconv.AppendQuote(append(to, `,"creative":`...), l.Creative)
	to = strconv.AppendInt(append(to, `,"bid":`...), l.Bid, 10)
	to = strconv.AppendInt(append(to, `,"score":`...), l.Score, 10)
	to = strconv.AppendInt(append(to, `,"cap":`...), l.Cap, 10)
	to = strconv.AppendInt(append(to, `,"seen":`...), l.Seen, 10)
	to = strconv.AppendInt(append(to, `,"slot":`...), int64(l.Slot), 10)
	to = strconv.AppendBool(append(to, `,"shown":`...), l.Shown)
	return append(to, "}\n"...)
}
