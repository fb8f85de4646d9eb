// Package ads is an advertising service that an engineering article describes, rebuilt: the delivery service chooses
// the ads for the slots of a page, the content service publishes which ads there are, and offers the best of a topic.
// Both are healthy or sick by their flags.
//
// A request names the user, the page's topic, and what is known of both: country, categories, keywords. Delivery goes
// through the topic's ads, keeps those whose targeting matches (match*.go, fanout*.go), reads from Redis how often the
// user has seen the best of them (caps.go, keys*.go), fills the slots with those below their caps (choose.go), counts
// them in Redis (counts*.go) and reports what became of each (report*.go). With -marks it notes in Redis for whom the
// best were considered, beside the answer (marks*.go). The catalogue of ads comes from the content service over HTTP
// and is kept in memory (catalogue.go, content_client.go).
//
// The diseases are the article's: goroutines without number, one command to Redis for each counter, a goroutine for
// each mark in Redis, memory for the largest catalogue that there may be, reports by reflection, targeting by nested
// loops, keys by Sprintf, maps keyed by the text of a number. Each is one value of one flag (forms.go); what a client
// sees is the same in all forms.
//
// The content service answers GET /offers as well: it compares the ads of the page's topic with those that the user's
// audience may see (stock.go, common*.go), asks a cache in memory how much of each flow control lets through
// (flows*.go) and ranks the rest (rank*.go). Its diseases are those of the article's content service: two sorted lists
// compared by nested loops, long keys by Sprintf in a cache of interfaces, and maps with room for all, made for each
// request.
//
// What fails, and how it is answered:
//   - Redis cannot be read: 200 with ads that have no cap, and "degraded":"caps".
//   - Redis cannot be written: 200; what was not counted is lost and counted in ads_impressions_uncounted_total.
//   - The content service does not answer: the catalogue at hand serves for -max-stale, then 503. Without one, 503.
//   - A mark cannot be noted: 200; it is lost and counted in ads_marks_lost_total.
//   - The report cannot be written: lines are lost and counted; every second it is tried anew.
//   - More than -in-flight requests at once: 503 with Retry-After.
//
// Limits: the users, pages and ads are made up (world.go); there is no auction beyond the highest bid, no budget, no
// login.
package ads
