// Package feature is a feature store's serving path, rebuilt from an engineering article: models ask for the features
// of a user, a few numbers out of hundreds, and must have them within milliseconds. It is healthy or sick by its flags.
//
// Two tiers serve them. The API tier (Main) answers GET /features?user=…&model=… with the numbers that a model takes;
// it asks the compute tier for the groups that hold them. The compute tier (ComputeMain) answers GET
// /groups?user=…&names=…; it has a local cache over Redis, and computes from the user's history what neither holds (the
// origin: CPU, and expensive).
//
// The diseases are those that the article tells of, each behind a flag. Compute: cache entries as graphs of pointers
// (-cache), groups that are decoded and encoded again for every answer (-join), lifetimes that all end with the period
// (-expiry). API: the whole answer is decoded for the few numbers of a model (-decode), one call whatever it takes
// (-call).
//
// Reading order: group.go, model.go and json.go say what a group is; compute.go answers for the compute tier, with
// cache*.go, shared.go (Redis), lifetime.go and origin.go below it; api.go answers for the API tier, with client.go and
// vector*.go. Users and their histories exist only as arithmetic on their ids, so that every process agrees without
// sharing data.
//
// Limits: a user's history never changes, so that answers can be compared; a group computed anew is equal to the old
// one.
package feature
